/** Trackers whose data come by themselves: connecting them, and what they have brought. */

import { fill, h, icon, said } from "../dom.js";
import { tandem } from "../session.js";
import { figures, label, words } from "../words.js";
import { asked, dialog } from "./dialog.js";
import { form } from "./form.js";
import { action, nothing, show } from "./notice.js";

const TRACKERS = "tandem.importer.v1.Trackers";
/** What stands for files, which need no connection. */
const FILE = "file";
const TONES = { TRACKER_STATE_CONNECTED: "good", TRACKER_STATE_NEEDS_CONSENT: "bad", TRACKER_STATE_UNAVAILABLE: "warn" };
const RUNNING = ["IMPORT_STATE_GATHERING", "IMPORT_STATE_IMPORTING"];
/** What the provider has, however long ago; and the days that are asked for without a choice. */
const [ALL_DAYS, DEFAULT_DAYS] = [36_500, 365];

const kinds = (values) => values.map((one) => label("DATA_KIND", one)).join(", ");

export function trackers(signal) {
  const place = h("div", {});
  const load = () => show(place, async () => {
    const { trackers: found = [] } = await tandem.call(`${TRACKERS}/ListTrackers`, {}, { signal });
    const shown = found.filter((one) => one.provider !== FILE);
    if (shown.length === 0) return nothing(words.trackers.none);
    return h("ul", { class: "list" }, shown.map((one) => h("li", {}, card(one, load, signal))));
  });
  load();
  return place;
}

function card(one, load, signal) {
  const isConnected = one.state !== "TRACKER_STATE_AVAILABLE" && Boolean(one.connectTime);
  const isRunning = RUNNING.includes(one.lastImport?.state);
  const call = (method, request) => async () => {
    await tandem.act(`${TRACKERS}/${method}`, request);
    await load();
  };
  const progress = h("div", { "aria-live": "polite" });
  if (one.lastImport) fill(progress, importOf(one.lastImport));
  if (isRunning) follow(one.lastImport.importId, progress, load, signal);
  return h("article", { class: "item" }, icon("watch"), h("div", {},
    h("div", { class: "head" }, said(one.name, "h2"), h("span", { class: `tag ${TONES[one.state] ?? ""}` }, label("TRACKER_STATE", one.state))),
    h("p", { class: "dim" }, kinds(one.kinds ?? [])),
    isConnected && h("p", {}, words.trackers.since(figures.day(one.connectTime)), one.syncTime && ` · ${words.trackers.synced(figures.ago(one.syncTime))}`),
    (one.missingKinds ?? []).length > 0 && h("p", { class: "bad" }, words.trackers.missing(kinds(one.missingKinds))),
    one.leftConsent && h("p", { class: "bad" }, said(one.leftConsent.message, "span"), " ", h("a", { href: one.leftConsent.pageUrl, rel: "noopener noreferrer", target: "_blank" }, words.trackers.toProvider(one.name))),
    progress,
    h("div", { class: "actions" },
      one.state === "TRACKER_STATE_CONNECTED" && !isRunning && action(words.trackers.fetch, call("StartImport", { provider: one.provider }), { kind: "main" }),
      isRunning && action(words.trackers.stop, call("CancelImport", { importId: one.lastImport.importId })),
      one.state !== "TRACKER_STATE_UNAVAILABLE" && one.state !== "TRACKER_STATE_CONNECTED" && h("button", { type: "button", class: "main", on: { click: () => connect(one) } }, isConnected ? words.trackers.again : words.trackers.connect(one.name)),
      isConnected && action(words.trackers.end, async () => {
        if (await asked(words.trackers.endTitle(one.name), words.trackers.endText, words.trackers.end)) await call("Disconnect", { provider: one.provider })();
      }))));
}

function importOf(one) {
  const counts = [[one.activityCount, words.trackers.activities], [one.stepDayCount, words.trackers.days], [one.sleepCount, words.trackers.sleeps], [one.weightCount, words.trackers.weights]];
  const brought = counts.filter(([count]) => count > 0).map(([count, text]) => text(count)).join(", ");
  const isRunning = RUNNING.includes(one.state);
  return [h("p", { class: one.state === "IMPORT_STATE_FAILED" ? "bad" : "" }, h("span", { class: "tag" }, label("IMPORT_STATE", one.state)), " ", said(one.message, "span"), brought && ` ${brought}.`),
    isRunning && h("progress", { max: 100, value: one.percent ?? 0, "aria-label": words.trackers.progress })];
}

/** Shows each state of an import until it has ended. */
async function follow(importId, place, load, signal) {
  try {
    for await (const one of tandem.stream(`${TRACKERS}/WatchImport`, { importId }, { signal })) fill(place, importOf(one));
    await load();
  } catch (error) {
    if (!error.code && !signal.aborted) console.error(error);
  }
}

/** Asks how much of the past is wanted, then leaves for the provider, who sends the browser back to `/trackers/callback`. */
function connect({ provider, name }) {
  const days = [[30, words.trackers.month], [DEFAULT_DAYS, words.trackers.year], [ALL_DAYS, words.trackers.all]];
  dialog(words.trackers.connect(name), h("div", {}, h("p", {}, words.trackers.leave(name)), form({
    fields: [{ name: "historyDays", label: words.trackers.history, type: "select", value: DEFAULT_DAYS, options: days }],
    button: words.trackers.go(name),
    act: async ({ historyDays }) => {
      const redirectUri = `${location.origin}/trackers/callback`;
      const started = await tandem.act(`${TRACKERS}/StartConnection`, { provider, redirectUri, historyDays: Number(historyDays) });
      location.assign(started.authorizationUrl);
    },
  })));
}
