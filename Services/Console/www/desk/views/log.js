import { fill, h, said } from "../../dom.js";
import { nothing } from "../../parts/notice.js";
import { keep } from "../../router.js";
import { read } from "../data.js";
import { choice, refreshing, SERVICES } from "../parts.js";
import { texts } from "../words.js";

const own = texts.log;

export const title = () => own.title;

export default function log({ query, signal }) {
  const filter = { service: query.get("service") ?? "", contains: query.get("contains") ?? "" };
  const [place, lines] = [h("div", {}), h("ol", { class: "log-lines", tabIndex: 0, "aria-label": own.title })];
  const follow = h("input", { type: "checkbox", checked: true });
  let all = [];
  const draw = () => {
    const isAtEnd = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 40;
    const found = all.filter((one) => one.line.toLowerCase().includes(filter.contains.toLowerCase()));
    fill(lines, found.map((one) => h("li", {}, h("span", { class: "program" }, one.service), said(one.line, "span"))));
    if (isAtEnd) queueMicrotask(() => (lines.scrollTop = lines.scrollHeight));
    return found.length > 0 ? lines : nothing(own.none);
  };
  const load = async () => {
    if (follow.checked || all.length === 0) all = await read("log", { service: filter.service, limit: 300 }, signal);
    return draw();
  };
  refreshing(place, 3_000, signal, load);
  const choose = async (name, value) => {
    filter[name] = value;
    keep(filter);
    if (name === "service") all = [];
    fill(place, await load());
  };
  const text = h("input", { type: "search", value: filter.contains, on: { input: () => choose("contains", text.value) } });
  return h("div", {}, h("h1", { tabIndex: -1 }, own.title), h("div", { class: "filters" },
    choice(own.service, [["", own.all], ...SERVICES.map((name) => [name, name])], filter.service, (value) => choose("service", value)), h("label", {}, own.filter, text), h("label", {}, own.follow, follow)), place);
}
