import { h, said } from "../../dom.js";
import { asked } from "../../parts/dialog.js";
import { action, nothing, show, tell } from "../../parts/notice.js";
import { figures } from "../../words.js";
import { change, read } from "../data.js";
import { refreshing, table } from "../parts.js";
import { texts } from "../words.js";

const words = texts.events;

export const title = () => words.title;

export default function events({ signal }) {
  const [consumers, aside] = [h("div", {}), h("div", {})];
  refreshing(consumers, 10_000, signal, async () => {
    const found = await read("consumers", {}, signal);
    if (found.length === 0) return nothing(words.noConsumers);
    return table(words.consumers, [
      [words.service, (one) => one.service], [words.producer, (one) => one.producer], [words.applied, (one) => figures.number(one.applied), "number"],
      [words.lag, (one) => (one.lagSeconds === null ? "–" : `${figures.number(one.lagSeconds, 3)} s`), "number"], [words.failures, (one) => figures.number(one.failures), "number"],
      [words.parked, (one) => h("span", { class: one.parked > 0 ? "tag warn" : "" }, figures.number(one.parked)), "number"], [words.skipped, (one) => figures.number(one.skipped), "number"],
      [words.blocked, (one) => one.blocked > 0 && h("span", { class: "tag bad" }, words.blocked)],
    ], found);
  });
  const load = () => show(aside, async () => {
    const found = await read("events", {}, signal);
    if (found.length === 0) return nothing(words.none);
    return table(words.aside, [
      [words.service, (one) => one.service], [words.producer, (one) => one.producer], [words.type, (one) => h("code", {}, one.type), "wrap"], [words.key, (one) => said(one.key), "wrap"],
      [words.state, (one) => h("span", { class: `tag ${one.state === "failing" ? "bad" : ""}` }, words.states[one.state] ?? one.state)], [words.since, (one) => figures.full(one.parkTime)],
      [words.attempts, (one) => String(one.attempts), "number"], [words.failure, (one) => said(one.lastFailure ?? "–"), "wrap"], [words.retry, (one) => buttons(one, load)],
    ], found);
  });
  load();
  return h("div", {}, h("h1", { tabIndex: -1 }, words.title), h("section", { class: "card" }, h("h2", {}, words.consumers), consumers), h("section", { class: "card" }, h("h2", {}, words.aside), aside));
}

function buttons(one, load) {
  const retry = action(words.retry, async () => {
    await change("events/retry", { ids: one.id });
    tell(words.retried);
    load();
  });
  const skip = one.state !== "skipped" && action(words.skip, async () => {
    if (!(await asked(words.skipAsked, words.skipText, words.skip))) return;
    await change("events/skip", { ids: one.id });
    tell(words.skippedNow);
    load();
  });
  return h("div", { class: "actions" }, retry, skip);
}
