/** The demonstration: people whom everybody may be, and a walk through what they do. */

import { h, icon } from "../dom.js";
import { deviceLabel, logIn, logOut, session, tandem } from "../session.js";
import { words } from "../words.js";
import { action } from "./notice.js";

/** The password of the demonstration's people; empty where there is no demonstration. */
const password = document.querySelector('meta[name="tandem-demo"]')?.content ?? "";
export const isDemo = password !== "" && !password.startsWith("%");

/** A place that the demonstration's people know. */
const WATERLOO = "51.50330,-0.11950";

/** What is to be seen, as whom, and where. Paths may need the group of all. */
const STEPS = [
  { name: "map", icon: "people", as: "mary_demo", path: (group) => `groups/${group}` },
  { name: "journey", icon: "pin", as: "mary_demo", path: (group, ada) => `groups/${group}${ada ? `?follow=${ada}` : ""}` },
  { name: "chat", icon: "chat", as: "alan_demo", path: (group) => `groups/${group}` },
  { name: "answer", icon: "book", as: "alan_demo", path: () => "books?tab=requests" },
  { name: "borrow", icon: "search", as: "grace_demo", path: () => "books?q=Frankenstein" },
  { name: "gyms", icon: "gym", as: "grace_demo", path: () => `gyms?at=${WATERLOO}` },
  { name: "session", icon: "calendar", as: "mary_demo", path: () => "sessions" },
  { name: "track", icon: "activity", as: "ada_demo", path: () => "activities" },
  { name: "api", icon: "code", as: "ada_demo", path: () => "api/tandem.identity.v1.Groups/ListGroupMembers" },
];
const GROUP = "Weekend walkers";
/** The steps that were taken in this tab. */
const TAKEN = "tandem.walk";

const taken = () => new Set(JSON.parse(sessionStorage.getItem(TAKEN) ?? "[]"));

/** Becomes one of the people, and goes where the step begins. The page is loaded anew, as nothing of the one before may stay. */
async function take(step) {
  const before = taken();
  if (session.account && session.account.username !== step.as) await logOut();
  if (!session.account) await logIn(() => tandem.logIn(step.as, password, deviceLabel()));
  sessionStorage.setItem(TAKEN, JSON.stringify([...before, step.name]));
  const { groups = [] } = await tandem.call("tandem.identity.v1.Groups/ListGroups");
  const group = groups.find((one) => one.name === GROUP)?.groupId ?? "";
  const { members = [] } = group ? await tandem.call("tandem.identity.v1.Groups/ListGroupMembers", { groupId: group }) : {};
  location.assign(`/console/${step.path(group, members.find((one) => one.username === "ada_demo")?.userId)}`);
}

/** The walk; null where there is no demonstration. */
export function walk() {
  if (!isDemo) return null;
  const done = taken();
  return h("section", { class: "walk" }, h("h2", {}, words.walk.title), h("p", {}, words.walk.text),
    h("ol", { class: "walk-steps" }, STEPS.map((step) => {
      const { name, text } = words.walk.steps[step.name];
      const isOther = session.account?.username !== step.as;
      return h("li", { class: "card", "aria-label": name }, h("h3", {}, icon(step.icon), name, done.has(step.name) && h("span", { class: "tag good" }, words.walk.seen)), h("p", {}, text),
        action(isOther ? words.walk.as(step.as) : words.walk.go, () => take(step), { kind: done.has(step.name) ? "" : "main", "aria-label": `${isOther ? words.walk.as(step.as) : words.walk.go}: ${name}` }));
    })),
    h("p", { class: "dim" }, words.walk.anew));
}
