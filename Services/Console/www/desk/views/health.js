import { fill, h, said } from "../../dom.js";
import { asked } from "../../parts/dialog.js";
import { action, tell } from "../../parts/notice.js";
import { change, read } from "../data.js";
import { facts, refreshing } from "../parts.js";
import { texts } from "../words.js";

export const title = () => texts.health.title;

export default async function health({ signal }) {
  const place = h("div", {});
  const about = await read("about", {}, signal);
  refreshing(place, 5_000, signal, async () => {
    const processes = await read("health", {}, signal);
    const ready = processes.filter((one) => one.readiness?.ready).length;
    return [h("p", { role: "status" }, texts.health.all(ready, processes.length)), h("div", { class: "desk-grid" }, processes.map(card))];
  });
  return h("div", {}, h("div", { class: "head" }, h("h1", { tabIndex: -1 }, texts.health.title), h("span", { class: "live-state" }, texts.health.live)), about.demo && demonstration(), place);
}

function card(one) {
  const { readiness } = one;
  const [kind, state] = !readiness ? ["bad", texts.health.unreachable] : readiness.ready ? ["good", texts.health.ready] : ["bad", texts.health.notReady];
  const failing = Object.entries(readiness?.checks ?? {}).filter(([, result]) => result !== "ok");
  const known = readiness?.facts ?? {};
  return h("section", { class: "card" }, h("div", { class: "head" }, h("h2", {}, one.service), h("span", { class: `tag ${kind}` }, state)),
    one.error && said(one.error, "p", { class: "bad" }),
    failing.length > 0 && [h("h3", {}, texts.health.checks), h("ul", {}, failing.map(([name, reason]) => said(`${name}: ${reason}`, "li")))],
    facts([[texts.health.version, known.version], [texts.health.schema, known.schema], [texts.health.address, one.address], [texts.health.database, known.database]]),
    (readiness?.lacks ?? []).length > 0 && h("details", {}, h("summary", {}, texts.health.lacks), h("ul", {}, readiness.lacks.map((lack) =>
      h("li", {}, said(`${lack.subject}: ${lack.effect}`, "span"), h("br"), h("span", { class: "dim" }, `${texts.health.cure}: `), h("code", {}, lack.cure))))));
}

function demonstration() {
  const place = h("section", { class: "card" }, h("h2", {}, texts.demo.title), h("p", {}, texts.demo.text(texts.demo.names)));
  const status = h("p", { role: "status" });
  const reset = action(texts.demo.reset, async () => {
    if (!(await asked(texts.demo.asked, texts.demo.askedText, texts.demo.reset))) return;
    await change("demo/reset");
    fill(status, texts.demo.done);
    tell(texts.demo.done);
  });
  place.append(reset, status);
  return place;
}
