import { h, said } from "../../dom.js";
import { asked } from "../../parts/dialog.js";
import { action, nothing, show, tell } from "../../parts/notice.js";
import { figures } from "../../words.js";
import { change, read } from "../data.js";
import { refreshing, table } from "../parts.js";
import { texts } from "../words.js";

const own = texts.events;

export const title = () => own.title;

export default function events({ signal }) {
  const [consumers, aside] = [h("div", {}), h("div", {})];
  refreshing(consumers, 10_000, signal, async () => {
    const found = await read("consumers", {}, signal);
    if (found.length === 0) return nothing(own.noConsumers);
    return table(own.consumers, [
      [own.service, (one) => one.service], [own.producer, (one) => one.producer], [own.applied, (one) => figures.number(one.applied), "number"],
      [own.lag, (one) => (one.lagSeconds === null ? "–" : `${figures.number(one.lagSeconds, 3)} s`), "number"], [own.failures, (one) => figures.number(one.failures), "number"],
      [own.parked, (one) => h("span", { class: one.parked > 0 ? "tag warn" : "" }, figures.number(one.parked)), "number"], [own.skipped, (one) => figures.number(one.skipped), "number"],
      [own.blocked, (one) => one.blocked > 0 && h("span", { class: "tag bad" }, own.blocked)],
    ], found);
  });
  const load = () => show(aside, async () => {
    const found = await read("events", {}, signal);
    if (found.length === 0) return nothing(own.none);
    return table(own.aside, [
      [own.service, (one) => one.service], [own.producer, (one) => one.producer], [own.type, (one) => h("code", {}, one.type), "wrap"], [own.key, (one) => said(one.key), "wrap"],
      [own.state, (one) => h("span", { class: `tag ${one.state === "failing" ? "bad" : ""}` }, own.states[one.state] ?? one.state)], [own.since, (one) => figures.full(one.parkTime)],
      [own.attempts, (one) => String(one.attempts), "number"], [own.failure, (one) => said(one.lastFailure ?? "–"), "wrap"], [own.retry, (one) => buttons(one, load)],
    ], found);
  });
  load();
  return h("div", {}, h("h1", { tabIndex: -1 }, own.title), h("section", { class: "card" }, h("h2", {}, own.consumers), consumers), h("section", { class: "card" }, h("h2", {}, own.aside), aside));
}

function buttons(one, load) {
  const retry = action(own.retry, async () => {
    await change("events/retry", { ids: one.id });
    tell(own.retried);
    load();
  });
  const skip = one.state !== "skipped" && action(own.skip, async () => {
    if (!(await asked(own.skipAsked, own.skipText, own.skip))) return;
    await change("events/skip", { ids: one.id });
    tell(own.skippedNow);
    load();
  });
  return h("div", { class: "actions" }, retry, skip);
}
