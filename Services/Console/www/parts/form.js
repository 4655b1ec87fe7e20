import { h } from "../dom.js";
import { complaint, words } from "../words.js";

let count = 0;
const DRAFTS = "tandem.draft.";

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What is typed and not sent stays in the tab, over reloads and lost sessions. */
export const drafts = {
  read: (key) => JSON.parse(sessionStorage.getItem(DRAFTS + key) ?? "null"),
  keep: (key, value) => sessionStorage.setItem(DRAFTS + key, JSON.stringify(value)),
  drop: (key) => sessionStorage.removeItem(DRAFTS + key),
};

/**
 * A form: labels, help, invalid fields beside their inputs, drafts. Set `fields`, `button`, `act`, and `draft` for what is to be kept.
 *
 * A field: `{ name, label, type, value, help, options, required, autocomplete, rows, path }`; `type` is that of an input, or
 * "select", "textarea", "checkbox", "choices". `path` is how the contract names the field, where that is not its name.
 */
export class TandemForm extends HTMLElement {
  fields = [];
  button = "";
  act = async () => {};
  draft = "";
  more = null;

  connectedCallback() {
    if (!this.firstChild) this.build();
  }

  build() {
    const kept = (this.draft && drafts.read(this.draft)) || {};
    this.inputs = new Map();
    const alert = h("div", { role: "alert", class: "complaint", tabIndex: -1 });
    const rows = this.fields.filter(Boolean).map((field) => this.#row(field, kept[field.name]));
    const button = h("button", { type: "submit", class: "main" }, this.button);
    const form = h("form", { noValidate: true, on: { submit: (event) => this.#submit(event, alert, button), input: () => this.#keep() } },
      alert, rows, h("div", { class: "actions" }, button, this.more));
    this.replaceChildren(form);
  }

  #row(field, kept) {
    const id = `field-${(count += 1)}`;
    const value = kept ?? field.value ?? "";
    const described = `${id}-help ${id}-bad`;
    const common = { id, name: field.name, "aria-describedby": described, required: field.required };
    let input;
    if (field.type === "select") {
      const options = field.options.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text));
      input = h("select", common, options);
    } else if (field.type === "choices") {
      const chosen = new Set(value || []);
      const boxes = field.options.map(([key, text]) =>
        h("label", { class: "chip" }, h("input", { type: "checkbox", value: key, checked: chosen.has(key) }), text));
      input = h("fieldset", { id, class: "choices", "aria-describedby": described }, h("legend", {}, field.label), boxes);
    } else if (field.type === "textarea") {
      input = h("textarea", { ...common, rows: field.rows ?? 4, dir: "auto", value, maxLength: field.max ?? 20_000 });
    } else if (field.type === "checkbox") {
      input = h("input", { ...common, type: "checkbox", checked: Boolean(value) });
    } else {
      input = h("input", { ...common, type: field.type ?? "text", value, autocomplete: field.autocomplete ?? "off", dir: "auto",
        placeholder: field.placeholder, inputMode: field.inputMode, min: field.min, max: field.max, step: field.step });
    }
    this.inputs.set(field.name, { field, input });
    const label = field.type !== "choices" && h("label", { htmlFor: id }, field.label);
    return h("div", { class: `field ${field.type === "checkbox" ? "check" : ""}`, data: { field: field.name } },
      label, input, h("p", { id: `${id}-help`, class: "help" }, field.help ?? ""), h("p", { id: `${id}-bad`, class: "bad-field" }));
  }

  /** What is in the inputs. */
  get values() {
    const values = {};
    for (const [name, { field, input }] of this.inputs) {
      if (field.type === "choices") values[name] = [...input.querySelectorAll(":checked")].map((box) => box.value);
      else if (field.type === "checkbox") values[name] = input.checked;
      else if (field.type === "number") values[name] = input.value === "" ? undefined : Number(input.value);
      else values[name] = input.value;
    }
    return values;
  }

  set(name, value) {
    this.inputs.get(name).input.value = value;
    this.#keep();
  }

  #keep() {
    if (!this.draft) return;
    const kept = Object.entries(this.values).filter(([name]) => this.inputs.get(name).field.type !== "password");
    drafts.keep(this.draft, Object.fromEntries(kept));
  }

  async #submit(event, alert, button) {
    event.preventDefault();
    if (button.disabled) return;
    this.#clear(alert);
    const missing = [...this.inputs.values()].filter(({ field, input }) => field.required && !input.value?.trim());
    if (missing.length > 0) {
      for (const { field } of missing) this.#mark(field.name, words.required);
      return missing[0].input.focus();
    }
    button.disabled = true;
    button.classList.add("busy");
    try {
      await this.act(this.values, this);
      if (this.draft) drafts.drop(this.draft);
    } catch (error) {
      if (!error.code) console.error(error);
      this.complain(error, alert);
    } finally {
      button.disabled = false;
      button.classList.remove("busy");
    }
  }

  #clear(alert) {
    alert.replaceChildren();
    for (const { input } of this.inputs.values()) input.removeAttribute("aria-invalid");
    for (const place of this.querySelectorAll(".bad-field")) place.replaceChildren();
  }

  #mark(name, text) {
    const { input } = this.inputs.get(name);
    input.setAttribute("aria-invalid", "true");
    input.closest(".field").querySelector(".bad-field").textContent = text;
  }

  /** Shows what was refused: beside the fields that are named, else above the form. */
  complain(error, alert = this.querySelector(".complaint")) {
    const others = [];
    let first;
    for (const { field: path, description } of error.fields ?? []) {
      const last = path.split(".").at(-1).replace(/\[.*/, "");
      const found = [...this.inputs.values()].find(({ field }) => (field.path ?? snake(field.name)) === path || (field.path ?? snake(field.name)).split(".").at(-1) === last);
      if (found) this.#mark(found.field.name, description);
      else others.push(description);
      first ??= found?.input;
    }
    if (!first || others.length > 0) alert.append(h("p", {}, others.length > 0 ? others.join(" ") : complaint(error)));
    (first ?? alert).focus();
  }
}

customElements.define("tandem-form", TandemForm);

/** The element with its parts set. */
export function form(parts) {
  return Object.assign(document.createElement("tandem-form"), parts);
}
