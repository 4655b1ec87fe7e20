import { h, link, said } from "../../dom.js";
import { asked } from "../../parts/dialog.js";
import { list } from "../../parts/list.js";
import { action, tell } from "../../parts/notice.js";
import { search } from "../../parts/tabs.js";
import { go } from "../../router.js";
import { figures } from "../../words.js";
import { methods } from "../data.js";
import { facts } from "../parts.js";
import { texts } from "../words.js";

const OPERATORS = "tandem.identity.v1.Operators";
const own = texts.users;

export const title = () => own.title;

export default function users({ parts, query, signal }) {
  if (parts[1]) return one(parts[1], signal);
  const text = query.get("q") ?? "";
  return h("div", { class: "narrow" }, h("h1", { tabIndex: -1 }, own.title), search(own.search, text, (value) => go(`users?q=${encodeURIComponent(value)}`)),
    text ? list(async (pageToken) => {
      const answer = await methods.call(`${OPERATORS}/FindUsers`, { query: text, pageToken }, { signal });
      return { items: answer.users, next: answer.nextPageToken };
    }, (user) => link(`users/${user.userId}`, { class: "item" }, h("div", {}, said(user.username, "h2"), said(user.email, "p", { class: "dim" })), state(user)), own.none) : h("p", { class: "nothing" }, own.help));
}

const state = (user) => (user.lockTime ? h("span", { class: "tag bad" }, own.locked) : !user.verifyTime && h("span", { class: "tag warn" }, own.unverified));

async function one(userId, signal) {
  const user = await methods.call(`${OPERATORS}/GetUser`, { userId }, { signal });
  const again = () => go(`users/${userId}`, { replace: true });
  const button = user.lockTime
    ? action(own.unlock, async () => {
      await methods.act(`${OPERATORS}/UnlockUser`, { userId });
      tell(own.unlockedNow);
      again();
    }, { kind: "main" })
    : action(own.lock, async () => {
      if (!(await asked(own.lockAsked, own.lockText, own.lock))) return;
      await methods.act(`${OPERATORS}/LockUser`, { userId });
      tell(own.lockedNow);
      again();
    }, { kind: "danger" });
  const time = (value) => value && figures.full(value);
  return h("div", { class: "narrow" },
    h("section", { class: "card" }, h("div", { class: "head" }, said(user.username, "h1", { tabIndex: -1 }), state(user), button),
      facts([[own.email, user.email], [own.sessions, figures.number(user.sessionCount)], [own.lastUse, time(user.lastUseTime)], [own.registered, time(user.registerTime)], [own.verified, time(user.verifyTime)], [own.locked, time(user.lockTime)], [own.id, user.userId]]),
      h("p", {}, link(`reports?user=${userId}`, {}, own.reports), " · ", link(`bars?user=${userId}`, {}, own.bars))),
    h("h2", {}, own.open), list(async (pageToken) => {
      const answer = await methods.call(`${OPERATORS}/ListUserSessions`, { userId, pageToken }, { signal });
      return { items: answer.sessions, next: answer.nextPageToken };
    }, (session) => h("div", { class: "item session" }, h("div", {}, said(session.deviceLabel || own.unnamed, "h3"), h("p", { class: "dim small" }, own.since(figures.full(session.createTime)), " · ", own.used(figures.ago(session.lastUseTime)), session.address && ` ${own.from(session.address)}`))), own.noSessions),
    h("h2", {}, own.events), list(async (pageToken) => {
      const answer = await methods.call(`${OPERATORS}/ListSecurityEvents`, { userId, pageToken }, { signal });
      return { items: answer.events, next: answer.nextPageToken };
    }, (event) => h("div", { class: "item" }, h("div", {}, h("h3", {}, kind(event.kind)), h("p", { class: "dim small" }, figures.full(event.occurTime), event.address && ` ${own.from(event.address)}`))), own.noEvents));
}

/** `SECURITY_EVENT_KIND_LOGGED_IN` as own. */
function kind(value) {
  const text = String(value ?? "").replace("SECURITY_EVENT_KIND_", "").replaceAll("_", " ").toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
