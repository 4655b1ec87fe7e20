import { fill, h, said } from "../../dom.js";
import { nothing } from "../../parts/notice.js";
import { keep } from "../../router.js";
import { read } from "../data.js";
import { choice, table } from "../parts.js";
import { texts } from "../words.js";

const own = texts.settings;

export const title = () => own.title;

export default async function settings({ query, signal }) {
  const processes = await read("settings", {}, signal);
  const key = (one) => `${one.service} ${one.address}`;
  const filter = { process: query.get("process") ?? key(processes[0] ?? {}), contains: query.get("contains") ?? "", set: query.get("set") ?? "" };
  const place = h("div", {});
  const draw = () => {
    const one = processes.find((process) => key(process) === filter.process) ?? processes[0];
    if (!one?.settings) return fill(place, h("p", { class: "failure", role: "alert" }, one?.error ?? ""));
    const text = filter.contains.toLowerCase();
    const rows = one.settings.filter((row) => (!filter.set || row.from !== "default") && `${row.setting} ${row.value ?? ""} ${row.meaning}`.toLowerCase().includes(text));
    if (rows.length === 0) return fill(place, nothing(own.none));
    fill(place, table(`${own.title}: ${one.service}`, [
      [own.name, (row) => h("code", {}, row.setting)], [own.value, (row) => (row.value === null ? h("span", { class: "dim" }, own.unset) : said(row.value, "code")), "wrap"],
      [own.from, (row) => (row.from === "default" ? h("span", { class: "dim" }, own.isDefault) : h("code", {}, row.from)), "wrap"], [own.meaning, (row) => row.meaning],
    ], rows));
  };
  const choose = (name, value) => {
    filter[name] = value;
    keep({ process: filter.process, contains: filter.contains, set: filter.set });
    draw();
  };
  draw();
  const text = h("input", { type: "search", value: filter.contains, on: { input: () => choose("contains", text.value) } });
  const only = h("input", { type: "checkbox", checked: Boolean(filter.set), on: { change: () => choose("set", only.checked ? "1" : "") } });
  return h("div", {}, h("h1", { tabIndex: -1 }, own.title), h("div", { class: "filters" },
    choice(own.process, processes.map((one) => [key(one), key(one)]), filter.process, (value) => choose("process", value)), h("label", {}, own.filter, text), h("label", {}, own.changed, only)), place);
}
