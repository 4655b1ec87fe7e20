import { fill, h, link, said } from "../dom.js";
import { form } from "../parts/form.js";
import { list } from "../parts/list.js";
import { makeMap, ownPlace, pin } from "../parts/map.js";
import { action, show, tell } from "../parts/notice.js";
import { search, tabs } from "../parts/tabs.js";
import { go, keep } from "../router.js";
import { session, tandem } from "../session.js";
import { figures, label, words } from "../words.js";
import { FOCUSES, sessionRow } from "./sessions.js";

const [GYMS, SESSIONS] = ["tandem.catalog.v1.Gyms", "tandem.matching.v1.Sessions"];
/** Metres around a point in which sessions are looked for. */
const RADIUS = 20_000;
const SINGAPORE = { latitude: 1.3521, longitude: 103.8198 };

export const title = () => words.nav.gyms;

const placeOf = (query) => {
  const [latitude, longitude] = (query.get("at") ?? "").split(",").map(Number);
  return Number.isFinite(latitude) && Number.isFinite(longitude) && query.get("at") ? { latitude, longitude } : undefined;
};

export default function gyms({ parts, query, signal }) {
  if (parts[1]) return gym(parts[1], signal);
  const near = placeOf(query);
  const text = query.get("q") ?? "";
  const map = makeMap(words.gyms.map);
  const found = h("div", {});
  const at = (point) => go(`gyms?at=${point.latitude.toFixed(5)},${point.longitude.toFixed(5)}`);
  map.addEventListener("place", ({ detail }) => at(detail));
  show(found, () => near || text ? results(near, text, map, signal) : h("p", { class: "nothing" }, words.gyms.help));
  if (!near && !text) map.centre(SINGAPORE, 11);
  return h("div", {},
    h("div", { class: "head" }, h("h1", { tabIndex: -1 }, words.nav.gyms), h("div", {}, link("sessions", { class: "button" }, words.gyms.mySessions))),
    search(words.gyms.search, text, (q) => go(`gyms?q=${encodeURIComponent(q)}`)),
    h("div", { class: "actions" }, action(words.gyms.near, async () => at(await ownPlace())), h("span", { class: "dim" }, words.gyms.orTap)),
    h("div", { class: "split" }, map, found));
}

async function results(near, text, map, signal) {
  const gyms = near && !text
    ? (await tandem.call(`${GYMS}/FindNearestGyms`, { point: near, pageSize: 40 }, { signal })).gyms ?? []
    : await searched(near, text, signal);
  const around = near ?? gyms[0]?.gym.point;
  const matches = around ? (await tandem.call(`${SESSIONS}/BrowseSessions`, { point: around, radiusM: RADIUS, pageSize: 40 }, { signal })).matches ?? [] : [];
  if (near) map.mark("here", near, { element: pin("here"), title: words.gyms.here });
  for (const { gym } of gyms) map.mark(`gym-${gym.gymId}`, gym.point, { element: pin(), title: gym.name, act: () => go(`gyms/${gym.gymId}`) });
  for (const { session } of matches) map.mark(`session-${session.sessionId}`, session.gym.point, { element: pin("session"), title: `${label("FOCUS", session.focus)}, ${session.gym.name}`, act: () => go(`sessions/${session.sessionId}`), order: 200 });
  const close = gyms.filter(({ distanceM = 0 }, at) => at === 0 || distanceM < RADIUS);
  map.fit([...close.slice(0, 12).map(({ gym }) => gym.point), ...(near ? [near] : [])]);
  return [
    h("h2", {}, words.gyms.sessions), matches.length ? h("ul", { class: "list" }, matches.map((match) => h("li", {}, sessionRow(match.session, match.distanceM)))) : h("p", { class: "dim" }, words.gyms.noSessions),
    h("h2", {}, words.gyms.gyms), gyms.length ? h("ul", { class: "list" }, gyms.map(({ gym, distanceM }) => h("li", {}, gymRow(gym, near ? distanceM ?? 0 : distanceM)))) : h("p", { class: "nothing" }, words.gyms.nothingFound),
  ];
}

async function searched(point, query, signal) {
  const { gyms = [], distancesM = [] } = await tandem.call(`${GYMS}/SearchGyms`, { query, point, pageSize: 40 }, { signal });
  return gyms.map((gym, at) => ({ gym, distanceM: distancesM[at] }));
}

const addressOf = ({ address = {} }) => [[address.street, address.houseNumber].filter(Boolean).join(" "), [address.postcode, address.city].filter(Boolean).join(" ")].filter(Boolean).join(", ");

function openTag(gym) {
  if (gym.openState === "OPEN_STATE_OPEN") return h("span", { class: "tag good" }, words.gyms.open);
  if (gym.openState === "OPEN_STATE_CLOSED") return h("span", { class: "tag" }, words.gyms.closed);
  return null;
}

function gymRow(gym, distance) {
  return link(`gyms/${gym.gymId}`, { class: "item" }, h("div", {}, said(gym.name, "h3"), said(addressOf(gym), "p", { class: "dim" }), distance !== undefined && h("p", { class: "dim small" }, figures.distance(distance))), openTag(gym));
}

const clock = (time) => `${time?.hours ?? 0}:${String(time?.minutes ?? 0).padStart(2, "0")}`;

async function gym(gymId, signal) {
  const found = await tandem.call(`${GYMS}/GetGym`, { gymId }, { signal });
  const map = makeMap(found.name);
  map.mark("gym", found.point, { element: pin("chosen"), title: found.name });
  map.fit([found.point]);
  const week = found.openingHours?.week ?? [];
  const sessions = list(async (pageToken) => {
    const answer = await tandem.call(`${SESSIONS}/BrowseSessions`, { gymId, pageToken }, { signal });
    return { items: answer.matches, next: answer.nextPageToken };
  }, ({ session }) => sessionRow(session), words.gyms.noSessions);
  const usage = found.usage && h("p", {}, h("span", { class: "tag main" }, words.gyms.usage(found.usage.percentage ?? 0, found.usage.people ?? 0, found.usage.capacity ?? 0)));
  const website = /^https?:\/\//.test(found.website ?? "") && h("a", { href: found.website, rel: "noreferrer noopener", target: "_blank" }, said(found.website));
  return h("div", {}, h("div", { class: "head" }, said(found.name, "h1", { tabIndex: -1 }), openTag(found)), said(addressOf(found), "p", { class: "dim" }), h("p", {}, website, " ", found.phone && h("a", { href: `tel:${found.phone}` }, said(found.phone))), usage,
    h("div", { class: "split" }, map, h("section", { class: "card" }, h("h2", {}, words.gyms.hours),
      week.length ? h("table", {}, h("tbody", {}, week.map((one) => h("tr", {}, h("th", { scope: "row" }, label("DAY", one.weekday)), h("td", {}, (one.spans ?? []).map((span) => `${clock(span.openTime)}–${clock(span.closeTime)}`).join(", ") || words.gyms.closed))))) : said(found.openingHours?.text || words.gyms.noHours, "p"))),
    h("section", {}, h("h2", {}, words.gyms.sessions), sessions), h("section", { class: "card" }, h("h2", {}, words.sessions.post), postForm(gymId)));
}

function postForm(gymId) {
  const start = new Date(Date.now() + 24 * 3_600_000);
  start.setMinutes(0, 0, 0);
  const local = new Date(start - start.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  return form({
    draft: `session.${gymId}`,
    fields: [
      { name: "start", label: words.sessions.start, type: "datetime-local", value: local, required: true, path: "start_time" },
      { name: "minutes", label: words.sessions.length, type: "number", value: 60, min: 15, max: 480, path: "end_time", required: true },
      { name: "focus", label: words.sessions.focus, type: "select", options: FOCUSES.map((one) => [one, label("FOCUS", one)]) },
      { name: "level", label: words.sessions.level, type: "select", value: session.profile?.level, options: ["NOVICE", "BEGINNER", "INTERMEDIATE", "ADVANCED", "EXPERT"].map((one) => [`LEVEL_${one}`, label("LEVEL", `LEVEL_${one}`)]) },
      { name: "genders", label: words.sessions.genders, type: "choices", options: ["MALE", "FEMALE", "OTHER"].map((one) => [`GENDER_${one}`, label("GENDER", `GENDER_${one}`)]) },
    ],
    button: words.sessions.postButton,
    act: async ({ start, minutes, ...rest }) => {
      const begin = new Date(start);
      const made = await tandem.act(`${SESSIONS}/PostSession`, { gymId, startTime: begin.toISOString(), endTime: new Date(+begin + minutes * 60_000).toISOString(), ...rest });
      tell(words.sessions.posted);
      go(`sessions/${made.sessionId}`);
    },
  });
}
