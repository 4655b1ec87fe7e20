import { fill, h, icon, link, said } from "../dom.js";
import { asked } from "../parts/dialog.js";
import { form } from "../parts/form.js";
import { inbox } from "../parts/inbox.js";
import { list } from "../parts/list.js";
import { makeMap, ownPlace, pin } from "../parts/map.js";
import { action, tell } from "../parts/notice.js";
import { person } from "../parts/person.js";
import { tabs } from "../parts/tabs.js";
import { go } from "../router.js";
import { session as own, tandem } from "../session.js";
import { figures, label, words } from "../words.js";

const SESSIONS = "tandem.matching.v1.Sessions";
export const FOCUSES = ["STRENGTH", "HYPERTROPHY", "WEIGHTLIFTING", "POWERLIFTING", "CALISTHENICS", "CARDIO", "INTERVALS", "FUNCTIONAL", "MOBILITY", "YOGA", "COMBAT", "CLIMBING"].map((one) => `FOCUS_${one}`);
const ADJECTIVES = ["PUNCTUAL", "MOTIVATING", "FRIENDLY", "KNOWLEDGEABLE", "PATIENT", "FOCUSED", "CONSIDERATE", "DISTRACTED", "IMPATIENT", "CARELESS"].map((one) => `ADJECTIVE_${one}`);
const TONES = { SESSION_STATE_OPEN: "main", SESSION_STATE_MATCHED: "good", SESSION_STATE_SUCCESSFUL: "good", SESSION_STATE_FAILED: "bad" };

export const title = () => words.nav.sessions;

const state = (session) => h("span", { class: `tag ${TONES[session.state] ?? ""}` }, label("SESSION_STATE", session.state));

export function sessionRow(session, distance) {
  return link(`sessions/${session.sessionId}`, { class: "item" }, icon("calendar"), h("div", {},
    h("p", {}, h("strong", {}, label("FOCUS", session.focus), " · ", label("LEVEL", session.level))), h("p", {}, figures.slot(session.startTime, session.endTime)),
    h("p", { class: "dim" }, said(session.gym?.name), distance ? ` · ${figures.distance(distance)}` : "", session.owner?.username && [" · ", said(session.owner.username)])), state(session));
}

export default function sessions({ parts, query, signal }) {
  if (parts[1]) return one(parts[1], signal);
  const tab = query.get("tab") ?? "upcoming";
  const time = tab === "past" ? "SESSION_TIME_PAST" : "SESSION_TIME_UPCOMING";
  return h("div", {}, h("div", { class: "head" }, h("h1", { tabIndex: -1 }, words.nav.sessions), link("gyms", { class: "button main" }, words.sessions.find)),
    tabs("sessions", [["upcoming", words.sessions.upcoming], ["past", words.sessions.past]], tab),
    list(async (pageToken) => {
      const answer = await tandem.call(`${SESSIONS}/ListMySessions`, { time, pageToken }, { signal });
      return { items: answer.sessions, next: answer.nextPageToken };
    }, (session) => sessionRow(session), tab === "past" ? words.sessions.nonePast : words.sessions.none));
}

async function one(sessionId, signal) {
  const place = h("div", {});
  const reload = async () => fill(place, content(await tandem.call(`${SESSIONS}/GetSession`, { sessionId }, { signal }), reload));
  inbox.addEventListener("new", ({ detail }) => detail.subject?.includes(sessionId) && reload().catch(() => {}), { signal });
  await reload();
  return place;
}

function content(session, reload) {
  const map = makeMap(session.gym.name);
  map.mark("gym", session.gym.point, { element: pin("chosen"), title: session.gym.name });
  map.fit([session.gym.point]);
  const facts = [
    [words.sessions.time, figures.slot(session.startTime, session.endTime)], [words.sessions.gym, link(`gyms/${session.gym.gymId}`, {}, said(session.gym.name))],
    [words.sessions.level, label("LEVEL", session.level)], [words.sessions.genders, (session.genders ?? []).map((one) => label("GENDER", one)).join(", ")],
    [words.sessions.owner, person(session.owner?.username)], [words.sessions.partner, session.partner && person(session.partner.username)],
  ];
  return [h("div", { class: "head" }, h("h1", { tabIndex: -1 }, label("FOCUS", session.focus)), state(session)),
    h("div", { class: "split" }, h("section", { class: "card" }, h("dl", { class: "facts" }, facts.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))), steps(session, reload)), map)];
}

function steps(session, reload) {
  const { sessionId, etag } = session;
  const isMine = [session.owner?.userId, session.partner?.userId].includes(own.account.userId);
  const call = (method, request = {}) => async () => {
    await tandem.act(`${SESSIONS}/${method}`, { sessionId, ...request });
    await reload();
  };
  if (!isMine) {
    const obstacles = session.joinObstacles ?? [];
    if (obstacles.length > 0) return h("p", { class: "dim" }, words.sessions.cannot, " ", obstacles.map((one) => label("JOIN_OBSTACLE", one)).join(", "));
    return action(words.sessions.join, async () => { await call("JoinSession", { etag })(); tell(words.sessions.joined); }, { kind: "main" });
  }
  if (session.finished && !session.feedbackGiven) return feedback(sessionId, reload);
  const isOpen = ["SESSION_STATE_OPEN", "SESSION_STATE_MATCHED"].includes(session.state);
  const isHere = [session.owner, session.partner].some((one) => one?.userId === own.account.userId && one.checkInTime);
  return h("div", { class: "actions" },
    session.state === "SESSION_STATE_MATCHED" && isHere && h("p", {}, words.sessions.checkedIn),
    session.state === "SESSION_STATE_MATCHED" && !isHere && action(words.sessions.checkIn, async () => {
      const { latitude, longitude, accuracyM } = await ownPlace({ maxAge: 0 });
      await call("CheckIn", { point: { latitude, longitude }, accuracyM })();
    }, { kind: "main" }),
    session.state === "SESSION_STATE_SUCCESSFUL" && !session.finished && action(words.sessions.finish, call("FinishSession")),
    isOpen && action(words.sessions.cancel, async () => {
      if (!(await asked(words.sessions.cancel, words.sessions.cancelText, words.sessions.cancel))) return;
      await tandem.act(`${SESSIONS}/CancelSession`, { sessionId, etag });
      go("sessions");
    }, { kind: "danger" }));
}

function feedback(sessionId, reload) {
  return form({
    draft: `feedback.${sessionId}`,
    fields: [
      { name: "rating", label: words.sessions.rating, type: "select", options: [5, 4, 3, 2, 1].map((stars) => [stars, "★".repeat(stars)]) },
      { name: "adjectives", label: words.sessions.adjectives, type: "choices", options: ADJECTIVES.map((one) => [one, label("ADJECTIVE", one)]) },
      { name: "remarks", label: words.sessions.remarks, type: "textarea", rows: 2, help: words.sessions.remarksHelp },
    ],
    button: words.sessions.feedback,
    act: async ({ rating, ...rest }) => {
      await tandem.act(`${SESSIONS}/SubmitFeedback`, { sessionId, rating: Number(rating), ...rest });
      tell(words.sessions.thanks);
      await reload();
    },
  });
}
