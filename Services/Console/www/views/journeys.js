import { fill, h, link } from "../dom.js";
import { makeMap, pin } from "../parts/map.js";
import { plot } from "../parts/plot.js";
import { tandem } from "../session.js";
import { figures, label, words } from "../words.js";

const JOURNEYS = "tandem.tracking.v1.Journeys";
/** Milliseconds of a replay of a whole path, at the usual speed. */
const REPLAY = 30_000;
const RADIUS = 6_371_008.8;

export const title = () => words.journey.title;

const radians = (degrees) => (degrees * Math.PI) / 180;

/** Great-circle metres between two points. */
function metres(a, b) {
  const [p, q] = [radians(a.latitude), radians(b.latitude)];
  const half = Math.sin((q - p) / 2) ** 2 + Math.cos(p) * Math.cos(q) * Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  return 2 * RADIUS * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** One journey or alert: its path, played on the map. */
export default async function journey({ parts, query, signal }) {
  const journeyId = parts[1];
  const found = await tandem.call(`${JOURNEYS}/GetJourney`, { journeyId }, { signal });
  const points = [];
  for await (const message of tandem.stream(`${JOURNEYS}/GetPath`, { journeyId }, { signal })) points.push(...(message.points ?? []));
  const isSOS = found.kind === "JOURNEY_KIND_SOS";
  const head = h("div", { class: "head" }, h("h1", { tabIndex: -1 }, isSOS ? words.journey.sos : words.journey.title), h("div", {}, found.groupIds?.[0] && link(`groups/${found.groupIds[0]}`, { class: "button" }, words.journey.group)));
  const facts = h("dl", { class: "facts" }, [
    [words.journey.start, figures.full(found.startTime)], [words.journey.end, found.endTime ? figures.full(found.endTime) : words.journey.lasts],
    [words.journey.outcome, found.outcome && label("JOURNEY_OUTCOME", found.outcome)], [words.group.arrival, found.arrivalTime && figures.time(found.arrivalTime)],
    [words.group.mode, found.mode && label("TRAVEL_MODE", found.mode)], [words.journey.points, figures.number(points.length)],
  ].filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  if (points.length === 0) return h("div", {}, head, facts, h("p", { class: "nothing" }, words.journey.none));
  return h("div", {}, head, replay(points, found, isSOS, Number(query.get("at") ?? 0), signal), facts);
}

function replay(points, found, isSOS, begin, signal) {
  const map = makeMap(words.journey.map);
  const times = points.map((point) => Date.parse(point.time));
  const [first, last] = [times[0], times.at(-1)];
  const distances = points.reduce((sums, point, at) => [...sums, at ? sums[at - 1] + metres(points[at - 1], point) : 0], []);
  map.line("path", points, isSOS ? "sos" : "");
  map.mark("start", points[0], { element: pin(""), title: words.journey.start });
  if (found.destination) map.mark("goal", found.destination, { element: pin("goal"), title: words.group.goal });
  map.fit(found.destination ? [...points, found.destination] : points);
  const range = h("input", { type: "range", min: 0, max: points.length - 1, step: 1, value: begin, "aria-label": words.journey.place });
  const now = h("output", { class: "plot-value" });
  const speed = h("select", { "aria-label": words.journey.speed }, [0.5, 1, 2, 5].map((one) => h("option", { value: one, selected: one === 1 }, `${one}×`)));
  const button = h("button", { type: "button", class: "main" }, words.journey.play);
  const showPoint = (at) => {
    const point = points[at];
    map.mark("now", point, { element: pin("chosen"), title: figures.time(point.time), order: 500 });
    now.textContent = `${figures.time(point.time)} · ${figures.distance(distances[at])}`;
    range.setAttribute("aria-valuetext", now.textContent);
  };
  let before;
  let elapsed = 0;
  const step = (time) => {
    if (before === undefined || signal.aborted) return;
    elapsed += ((time - before) * Number(speed.value) * Math.max(1, last - first)) / REPLAY;
    before = time;
    const at = times.findIndex((one) => one - first >= elapsed);
    range.value = at < 0 ? points.length - 1 : at;
    showPoint(Number(range.value));
    if (at < 0) return stop();
    requestAnimationFrame(step);
  };
  const stop = () => {
    before = undefined;
    button.textContent = words.journey.play;
  };
  button.addEventListener("click", () => {
    if (before !== undefined) return stop();
    if (Number(range.value) >= points.length - 1) range.value = 0;
    elapsed = times[Number(range.value)] - first;
    button.textContent = words.journey.pause;
    requestAnimationFrame((time) => {
      before = time;
      requestAnimationFrame(step);
    });
  });
  range.addEventListener("input", () => {
    elapsed = times[Number(range.value)] - first;
    showPoint(Number(range.value));
  });
  showPoint(Math.min(begin, points.length - 1));
  const minutes = (seconds) => figures.duration(seconds);
  const since = (at) => (times[at] - first) / 1_000;
  const heights = points.map((point, at) => [since(at), point.altitudeM]).filter(([, height]) => height !== undefined);
  const speeds = points.map((point, at) => [since(at), point.speedMps !== undefined ? point.speedMps * 3.6 : at ? (metres(points[at - 1], point) / Math.max(1, (times[at] - times[at - 1]) / 1_000)) * 3.6 : 0]);
  return h("section", { class: "card" }, map, h("div", { class: "actions" }, button, h("label", {}, h("span", { class: "unseen" }, words.journey.speed), speed), now), range,
    points.length > 2 && plot({ points: speeds, name: words.activity.speed, x: minutes, y: (value) => `${figures.number(value, 1)} km/h`, at: (at) => at !== null && showPoint(at) }),
    heights.length > 2 && plot({ points: heights, name: words.activity.height, kind: "height", x: minutes, y: (value) => `${figures.number(value)} m` }));
}
