import { fill, h, icon, link, said } from "../dom.js";
import { asked } from "../parts/dialog.js";
import { importFile } from "../parts/importing.js";
import { list } from "../parts/list.js";
import { makeMap, pin } from "../parts/map.js";
import { action, show, tell } from "../parts/notice.js";
import { bars, plot } from "../parts/plot.js";
import { tabs } from "../parts/tabs.js";
import { trackers } from "../parts/trackers.js";
import { go } from "../router.js";
import { tandem } from "../session.js";
import { complaint, figures, label, words } from "../words.js";

const ACTIVITIES = "tandem.importer.v1.Activities";
const WEEKS = 12;

export const title = () => words.nav.activities;

export default function activities({ parts, query, signal }) {
  if (parts[1]) return activity(parts[1], signal);
  const tab = query.get("tab") ?? "all";
  const views = { all: () => all(signal), summary: () => summary(signal), records: () => records(signal), trackers: () => trackers(signal) };
  return h("div", {}, h("h1", { tabIndex: -1 }, words.nav.activities),
    tabs("activities", [["all", words.activity.all], ["summary", words.activity.summary], ["records", words.activity.records], ["trackers", words.trackers.title]], tab), (views[tab] ?? views.all)());
}

function all(signal) {
  const made = list(async (pageToken) => {
    const answer = await tandem.call(`${ACTIVITIES}/ListActivities`, { pageToken }, { signal });
    return { items: answer.activities, next: answer.nextPageToken };
  }, (one) => link(`activities/${one.activityId}`, { class: "item" }, icon("activity"), h("div", {}, h("h2", {}, one.title ? said(one.title) : label("SPORT", one.sport)),
    h("p", { class: "dim" }, [one.title && label("SPORT", one.sport), figures.full(one.startTime)].filter(Boolean).join(" · ")), h("p", {}, [one.distanceM && figures.distance(one.distanceM), figures.duration(one.durationS ?? 0), one.heartRateAvgBpm && `${figures.number(one.heartRateAvgBpm)} bpm`].filter(Boolean).join(" · ")))),
  words.activity.none);
  return h("div", {}, dropZone(() => made.reload(), signal), made);
}

/** Files are dropped here, or chosen. */
function dropZone(done, signal) {
  const rows = h("ul", { class: "list", "aria-live": "polite" });
  const input = h("input", { type: "file", multiple: true, class: "unseen", id: "import-files", accept: ".gpx,.tcx,.fit,.zip,.xml,.json" });
  const zone = h("div", { class: "drop" }, icon("upload"), h("p", {}, words.activity.drop), input, h("label", { class: "button", htmlFor: "import-files" }, words.activity.choose), rows);
  input.addEventListener("focus", () => zone.classList.add("over"));
  input.addEventListener("blur", () => zone.classList.remove("over"));
  const take = async (files) => {
    for (const file of files) await importOne(file, rows, signal);
    done();
  };
  input.addEventListener("change", () => take([...input.files]));
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    take([...event.dataTransfer.files]);
  });
  return zone;
}

async function importOne(file, rows, signal) {
  const progress = h("progress", { max: 1, value: 0, "aria-label": words.activity.sending(file.name) });
  const result = h("p", { class: "dim" }, words.activity.sendingNow);
  rows.append(h("li", { class: "item" }, h("div", {}, said(file.name, "h2"), progress, result)));
  try {
    const made = await importFile(file, { progress: (part) => (progress.value = part), signal });
    progress.value = 1;
    result.textContent = words.activity.imported(made.newActivities ?? 0, (made.mergedActivities ?? 0) + (made.knownActivities ?? 0));
    if (made.fault) result.append(" ", words.activity.fault, " ", said(made.fault.message));
  } catch (error) {
    if (signal.aborted) return;
    if (!error.code) console.error(error);
    progress.remove();
    result.className = "bad";
    result.textContent = error.code === "invalid_argument" ? error.message : complaint(error);
  }
}

const dateOf = (date) => ({ year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() });

function summary(signal) {
  const place = h("div", { class: "cards" });
  show(place, async () => {
    const [to, from] = [new Date(), new Date(Date.now() - WEEKS * 7 * 86_400_000)];
    const { summaries = [] } = await tandem.call(`${ACTIVITIES}/SummarizeActivities`, { period: "SUMMARY_PERIOD_WEEK", fromDate: dateOf(from), toDate: dateOf(to), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }, { signal });
    if (summaries.length === 0) return h("p", { class: "nothing" }, words.activity.noSummary);
    const rows = (read) => summaries.map((one) => [figures.date(one.startDate), read(one) ?? 0]);
    const card = (name, read, write) => h("section", { class: "card" }, bars(name, rows(read), write));
    return [card(words.activity.distance, (one) => one.distanceM, figures.distance), card(words.activity.duration, (one) => one.durationS, figures.duration), card(words.activity.count, (one) => one.activities, (value) => figures.number(value)), card(words.activity.ascent, (one) => one.ascentM, (value) => `${figures.number(value)} m`)];
  });
  return place;
}

function records(signal) {
  const place = h("div", { class: "card scroll" });
  show(place, async () => {
    const { records = [] } = await tandem.call(`${ACTIVITIES}/ListPersonalRecords`, {}, { signal });
    if (records.length === 0) return h("p", { class: "nothing" }, words.activity.noRecords);
    return h("table", {}, h("thead", {}, h("tr", {}, [words.activity.sport, words.activity.record, words.activity.distance, words.activity.duration, words.activity.on].map((one) => h("th", { scope: "col" }, one)))),
      h("tbody", {}, records.map((one) => h("tr", {}, h("td", {}, label("SPORT", one.sport)), h("td", {}, label("RECORD_KIND", one.kind)), h("td", {}, one.distanceM ? figures.distance(one.distanceM) : ""), h("td", {}, one.durationS ? figures.duration(one.durationS) : ""), h("td", {}, link(`activities/${one.activityId}`, {}, figures.day(one.startTime)))))));
  });
  return place;
}

async function activity(activityId, signal) {
  const one = await tandem.call(`${ACTIVITIES}/GetActivity`, { activityId }, { signal });
  const facts = [
    [words.activity.distance, one.distanceM && figures.distance(one.distanceM)], [words.activity.duration, figures.duration(one.durationS ?? 0)], [words.activity.moving, one.movingS && figures.duration(one.movingS)],
    [words.activity.pace, one.distanceM && figures.pace(one.distanceM, one.movingS || one.durationS)], [words.activity.heart, one.heartRateAvgBpm && `${figures.number(one.heartRateAvgBpm)} bpm`], [words.activity.heartMax, one.heartRateMaxBpm && `${figures.number(one.heartRateMaxBpm)} bpm`],
    [words.activity.ascent, one.ascentM && `${figures.number(one.ascentM)} m`], [words.activity.energy, one.energyKcal && `${figures.number(one.energyKcal)} kcal`], [words.activity.source, (one.sources ?? []).map((source) => source.device || source.provider).join(", ")],
  ];
  const track = (one.track ?? []).filter((point) => point.latitude !== undefined || point.longitude !== undefined).map((point) => ({ ...point, latitude: point.latitude ?? 0, longitude: point.longitude ?? 0 }));
  const remove = action(words.remove, async () => {
    if (!(await asked(words.activity.remove, words.activity.removeText, words.remove))) return;
    await tandem.act(`${ACTIVITIES}/DeleteActivity`, { activityId });
    go("activities");
  }, { kind: "danger" });
  return h("div", {}, h("div", { class: "head" }, h("h1", { tabIndex: -1 }, one.title ? said(one.title) : label("SPORT", one.sport)), h("div", {}, remove)),
    h("p", { class: "dim" }, label("SPORT", one.sport), " · ", figures.full(one.startTime)),
    h("dl", { class: "facts" }, facts.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    h("div", { class: "split wide-first" }, h("div", {}, track.length > 0 && trackMap(track)), splits(one.splits ?? [])),
    plots(one.track ?? []));
}

let shownMap;

function trackMap(track) {
  const map = makeMap(words.activity.map);
  map.line("track", track);
  map.mark("start", track[0], { element: pin(), title: words.journey.start });
  map.mark("end", track.at(-1), { element: pin("goal"), title: words.journey.end });
  map.fit(track);
  shownMap = map;
  return map;
}

function splits(rows) {
  if (rows.length === 0) return h("p", { class: "dim" }, words.activity.noSplits);
  const fastest = Math.min(...rows.map((row) => row.durationS / row.distanceM).filter(Number.isFinite));
  return h("section", { class: "card scroll" }, h("table", {}, h("caption", {}, words.activity.splits),
    h("thead", {}, h("tr", {}, [words.activity.kilometre, words.activity.pace, words.activity.ascent, words.activity.heart].map((one) => h("th", { scope: "col" }, one)))),
    h("tbody", {}, rows.map((row, at) => h("tr", {}, h("th", { scope: "row" }, row.distanceM > 990 && row.distanceM < 1_010 ? String(at + 1) : figures.distance(row.distanceM)), h("td", {}, figures.pace(row.distanceM, row.durationS), row.durationS / row.distanceM === fastest && h("span", { class: "tag good" }, words.activity.fastest)), h("td", {}, row.ascentM ? `${figures.number(row.ascentM)} m` : ""), h("td", {}, row.heartRateAvgBpm ? figures.number(row.heartRateAvgBpm) : ""))))));
}

function plots(track) {
  const minutes = (seconds) => figures.duration(seconds);
  const at = (points) => (index) => {
    if (!shownMap?.isConnected) return;
    if (index === null) return shownMap.drop("now");
    const point = points[index];
    if (point.latitude !== undefined) shownMap.mark("now", { latitude: point.latitude, longitude: point.longitude ?? 0 }, { element: pin("chosen"), order: 500 });
  };
  const hearts = track.filter((point) => point.heartRateBpm > 0);
  const heights = track.filter((point) => point.elevationM !== undefined);
  const cards = [
    hearts.length > 2 && plot({ points: hearts.map((point) => [point.elapsedS ?? 0, point.heartRateBpm]), name: words.activity.heart, kind: "heart", x: minutes, y: (value) => `${figures.number(value)} bpm`, at: at(hearts) }),
    heights.length > 2 && plot({ points: heights.map((point) => [point.elapsedS ?? 0, point.elevationM]), name: words.activity.height, kind: "height", x: minutes, y: (value) => `${figures.number(value)} m`, at: at(heights) }),
  ].filter(Boolean);
  return cards.length > 0 && h("section", { class: "card" }, cards);
}
