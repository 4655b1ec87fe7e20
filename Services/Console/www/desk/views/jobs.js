import { h, said } from "../../dom.js";
import { action, nothing, show, tell } from "../../parts/notice.js";
import { keep } from "../../router.js";
import { figures } from "../../words.js";
import { change, read } from "../data.js";
import { choice, SERVICES, table } from "../parts.js";
import { texts } from "../words.js";

export const title = () => texts.jobs.title;

export default function jobs({ query, signal }) {
  const place = h("div", {});
  const filter = { state: query.get("state") ?? "dead", service: query.get("service") ?? "" };
  const load = () => show(place, async () => {
    const found = await read("jobs", filter, signal);
    if (found.length === 0) return nothing(texts.jobs.none);
    const dead = found.filter((job) => job.state === "dead");
    const retry = (ids) => async () => {
      for (let at = 0; at < ids.length; at += 100) await change("jobs/retry", { ids: ids.slice(at, at + 100).join(",") });
      tell(texts.jobs.retried(ids.length));
      load();
    };
    return [
      dead.length > 1 && h("p", {}, action(texts.jobs.retryAll, retry(dead.map((job) => job.id)))),
      table(texts.jobs.title, [
        [texts.jobs.service, (job) => job.service], [texts.jobs.kind, (job) => h("code", {}, job.kind)], [texts.jobs.key, (job) => said(job.key ?? "–"), "wrap"],
        [texts.jobs.state, (job) => h("span", { class: `tag ${job.state === "dead" ? "bad" : ""}` }, texts.jobs.states[job.state] ?? job.state)],
        [texts.jobs.due, (job) => figures.full(job.dueTime)], [texts.jobs.attempts, (job) => String(job.attempts), "number"], [texts.jobs.failure, (job) => said(job.lastFailure ?? "–"), "wrap"],
        [texts.jobs.retry, (job) => job.state === "dead" && action(texts.jobs.retry, retry([job.id]), { "aria-label": `${texts.jobs.retry}: ${job.kind} ${job.key ?? ""}` })],
      ], found)];
  });
  const choose = (name) => (value) => {
    filter[name] = value;
    keep(filter);
    load();
  };
  load();
  return h("div", {}, h("h1", { tabIndex: -1 }, texts.jobs.title), h("div", { class: "filters" },
    choice(texts.jobs.state, Object.entries(texts.jobs.states), filter.state, choose("state")),
    choice(texts.jobs.service, [["", texts.jobs.all], ...SERVICES.slice(0, 6).map((name) => [name, name])], filter.service, choose("service"))), place);
}
