/** Pieces that several views of the operators' console have. */

import { h, said } from "../dom.js";
import { dialog } from "../parts/dialog.js";
import { form } from "../parts/form.js";
import { fill } from "../dom.js";
import { failure } from "../parts/notice.js";
import { pause } from "../api.js";

export const SERVICES = ["identity", "matching", "catalog", "lending", "tracking", "importer", "gateway"];

/** A choice whose value is in the address. */
export function choice(label, options, value, act) {
  const select = h("select", { on: { change: () => act(select.value) } }, options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)));
  return h("label", {}, label, select);
}

/** Columns are `[name, cell, kind]`; a table that is too wide is scrolled by itself. The heading above it is its name. */
export function table(caption, columns, rows) {
  return h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": caption }, h("table", {}, h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, columns.map(([name, , kind]) => h("th", { scope: "col", class: kind }, name)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, columns.map(([, cell, kind]) => h("td", { class: kind }, cell(row))))))));
}

/** Pairs of a name and a value; those without a value are left out. */
export function facts(pairs) {
  return h("dl", { class: "facts" }, pairs.filter(([, value]) => value !== undefined && value !== null && value !== "").map(([name, value]) =>
    h("div", {}, h("dt", {}, name), typeof value === "string" ? said(value, "dd") : h("dd", {}, value))));
}

/** Loads again and again while the view is shown; what was shown stays until there is something new. */
export async function refreshing(place, milliseconds, signal, load) {
  for (;;) {
    try {
      fill(place, await load());
    } catch (error) {
      if (signal.aborted || error.isLoggedOut) return;
      if (!error.code) console.error(error);
      fill(place, failure(error));
    }
    try {
      await pause(milliseconds, signal);
    } catch {
      return;
    }
  }
}

/** Asks who does something and why, which the audit trail keeps. */
export function reasoned(title, names, act) {
  const opened = dialog(title, form({
    fields: [
      { name: "reason", label: names.reason, required: true, max: 500, type: "textarea", rows: 2 },
      { name: "actor", label: names.actor, required: true, value: sessionStorage.getItem("tandem.actor") ?? "" },
    ],
    button: title,
    act: async (values) => {
      await act(values);
      sessionStorage.setItem("tandem.actor", values.actor);
      opened.close();
    },
  }));
}
