import { fill, h } from "../../dom.js";
import { plot } from "../../parts/plot.js";
import { nothing } from "../../parts/notice.js";
import { keep } from "../../router.js";
import { figures } from "../../words.js";
import { read } from "../data.js";
import { choice, refreshing } from "../parts.js";
import { texts } from "../words.js";

export const title = () => texts.metrics.title;

const MEBIBYTE = 1_048_576;

/** How the values of a plot are written. */
const WRITE = {
  memory_bytes: (value) => `${figures.number(value / MEBIBYTE, Number.isInteger(value / MEBIBYTE) ? 0 : 1)} MiB`,
  slow_seconds: (value) => `${figures.number(value * 1_000, value < 0.01 ? 1 : 0)} ms`,
  event_lag_seconds: (value) => `${figures.number(value, 2)} s`,
  cpu: (value) => `${figures.number(value * 100, 1)} %`,
};
const plain = (value) => figures.number(value, value < 10 && !Number.isInteger(value) ? 1 : 0);
const clock = (seconds) => figures.time(seconds * 1_000);

export default async function metrics({ query, signal }) {
  const place = h("div", {});
  let chosen = query.get("process") ?? "";
  const draw = async () => {
    const found = await read("metrics", {}, signal);
    const processes = found.processes.filter((one) => !chosen || one.service === chosen);
    const drawn = found.plots.flatMap((name, at) => processes.map((one) => [name, one, points(one, at)])).filter(([, , line]) => line.length > 1);
    if (drawn.length === 0) return nothing(texts.metrics.none);
    return [h("h2", {}, chosen), h("div", { class: "desk-grid" }, drawn.map(([name, one, line]) => h("section", { class: "card" }, plot({
      points: line, name: texts.metrics.plots[name], x: clock, y: WRITE[name] ?? plain, ...(name === "memory_bytes" && { unit: MEBIBYTE, span: 4 * MEBIBYTE }),
    }))))];
  };
  // All plots of all processes are too many to read: the first one is as good as any to begin with.
  const names = (await read("metrics", {}, signal)).processes.map((one) => one.service);
  chosen ||= names[0] ?? "";
  const select = choice(texts.metrics.service, [...new Set(names)].map((name) => [name, name]), chosen, async (value) => {
    chosen = value;
    keep({ process: value });
    fill(place, await draw());
  });
  refreshing(place, 10_000, signal, draw);
  return h("div", {}, h("h1", { tabIndex: -1 }, texts.metrics.title), h("p", { class: "dim" }, texts.metrics.help), h("div", { class: "filters" }, select), place);
}

/** Pairs of time and value, without the gaps. */
function points(one, at) {
  return one.times.map((time, index) => [time, one.values[at][index]]).filter(([, value]) => value !== null);
}
