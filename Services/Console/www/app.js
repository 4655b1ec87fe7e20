/** The frame around the views: navigation, the state of the connection and of the session, alarms. */

import { fill, h, icon, link, logo } from "./dom.js";
import { skipTo, Stage, themeButton } from "./parts/frame.js";
import { failure, loading } from "./parts/notice.js";
import { here, route } from "./router.js";
import { logOut, recognise, session, tandem } from "./session.js";
import { words } from "./words.js";
import { avatar } from "./parts/person.js";

/** The first part of a path, its module, and whether it is for those who are logged in. */
const VIEWS = {
  "": { load: () => import("./views/home.js") },
  login: { load: () => import("./views/login.js") },
  register: { load: () => import("./views/register.js") },
  reset: { load: () => import("./views/reset.js") },
  shared: { load: () => import("./views/shared.js") },
  api: { load: () => import("./views/api.js") },
  licences: { load: () => import("./views/licences.js") },
  profile: { load: () => import("./views/profile.js"), isOwn: true },
  account: { load: () => import("./views/account.js"), isOwn: true },
  people: { load: () => import("./views/people.js"), isOwn: true },
  gyms: { load: () => import("./views/gyms.js") , isOwn: true },
  sessions: { load: () => import("./views/sessions.js"), isOwn: true },
  books: { load: () => import("./views/books.js"), isOwn: true },
  loans: { load: () => import("./views/loans.js"), isOwn: true },
  groups: { load: () => import("./views/groups.js"), isOwn: true },
  chats: { load: () => import("./views/chats.js"), isOwn: true },
  journeys: { load: () => import("./views/journeys.js"), isOwn: true },
  activities: { load: () => import("./views/activities.js"), isOwn: true },
  notifications: { load: () => import("./views/notifications.js"), isOwn: true },
};

const MAIN = [["", "home"], ["groups", "people"], ["books", "book"], ["gyms", "gym"], ["activities", "activity"]];

const main = h("main", { id: "main", tabIndex: -1 });
const navigation = h("nav", { class: "main-nav", "aria-label": words.nav.main });
const corner = h("div", { class: "corner" });
const banner = h("div", { id: "connection", role: "status" });
const stage = new Stage(main);

function frame() {
  document.body.append(
    skipTo(main),
    h("header", { class: "top" }, link("", { class: "brand", "aria-label": words.nav.front }, logo(), h("span", {}, "Tandem")), navigation, corner),
    h("div", { id: "alarm" }), banner, main,
    h("footer", {}, link("api", {}, words.nav.api), " · ", link("licences", {}, words.nav.licences), " · ", h("a", { href: "/docs" }, words.nav.docs)));
  document.querySelector("noscript")?.remove();
}

function showNavigation() {
  const part = here().parts[0] ?? "";
  const entries = session.account ? MAIN : [];
  fill(navigation, h("ul", {}, entries.map(([path, drawing]) =>
    h("li", {}, link(path, { "aria-current": part === path ? "page" : undefined }, icon(drawing), h("span", {}, words.nav[path || "home"]))))));
  navigation.hidden = entries.length === 0;
  fill(corner, session.account && bell(), themeButton(), session.account ? ownMenu() : link("login", { class: "button" }, words.nav.login));
}

const count = h("span", { class: "count", hidden: true });

function bell() {
  return link("notifications", { class: "plain bell", "aria-label": words.nav.notifications }, icon("bell"), count);
}

function ownMenu() {
  const { username } = session.account;
  const menu = h("details", { class: "menu" },
    h("summary", { "aria-label": words.nav.own(username) }, avatar(username, session.profile?.pictureEtag)),
    h("ul", {},
      h("li", { class: "menu-name" }, username),
      h("li", {}, link("profile", {}, words.nav.profile)), h("li", {}, link("account", {}, words.nav.account)),
      h("li", {}, link("people", {}, words.nav.people)), h("li", {}, link("chats", {}, words.nav.chats)),
      h("li", {}, link("api", {}, words.nav.api)),
      h("li", {}, h("button", { type: "button", on: { click: leaveSession } }, words.nav.logout))));
  menu.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !menu.contains(relatedTarget) && (menu.open = false));
  menu.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    menu.open = false;
    menu.firstChild.focus();
  });
  menu.addEventListener("click", ({ target }) => target.closest("a") && (menu.open = false));
  return menu;
}

async function leaveSession() {
  try {
    await logOut();
    history.pushState(null, "", "/console/");
    await showView();
  } catch (error) {
    fill(banner, failure(error, leaveSession));
  }
}

async function showView() {
  const signal = stage.next();
  const { parts, query } = here();
  const view = VIEWS[parts[0] ?? ""];
  showNavigation();
  if (view?.isOwn && !session.account) {
    const after = location.pathname.replace("/console/", "") + location.search;
    history.replaceState(null, "", `/console/login?then=${encodeURIComponent(after)}`);
    return showView();
  }
  await stage.show(view?.load ?? (() => import("./views/missing.js")), { parts, query, signal }, {
    titled: (title) => (title ? `${title} · Tandem` : "Tandem"), again: showView,
    failed: (error) => {
      if (error instanceof TypeError && /import|module/i.test(error.message)) return [outdated()];
      if (!error.code) console.error(error);
      return [h("h1", { tabIndex: -1 }, words.nav[parts[0]] ?? words.missing.title), failure(error, showView)];
    },
  });
}

/** The files of a view are gone where the gateway has another version by now, or the network is. */
function outdated() {
  return h("div", { class: "failure", role: "alert" }, h("p", {}, words.outdated), h("button", { type: "button", on: { click: () => location.reload() } }, words.reload));
}

// The connection

let looking = false;

async function lookForServer() {
  if (looking) return;
  looking = true;
  fill(banner, h("p", { class: "banner" }, words.lost));
  for (let wait = 1_000; !(await tandem.isThere()); wait = Math.min(wait * 1.5, 8_000)) {
    await new Promise((resume) => {
      const timer = setTimeout(resume, wait);
      addEventListener("online", () => { clearTimeout(timer); resume(); }, { once: true });
    });
  }
  looking = false;
  fill(banner, h("p", { class: "banner found" }, words.found));
  setTimeout(() => looking || fill(banner), 3_000);
  dispatchEvent(new Event("tandem:found"));
}

tandem.addEventListener("lost", lookForServer);
addEventListener("offline", () => tandem.isThere().then((isThere) => isThere || lookForServer()));

// The session

let asking = false;

tandem.addEventListener("ended", async () => {
  if (!session.account || asking) return;
  asking = true;
  const { askAgain } = await import("./views/login.js");
  await askAgain(session.account);
  asking = false;
});

let companions;

session.addEventListener("changed", async () => {
  showNavigation();
  if (session.account && !companions) {
    companions = new AbortController();
    const [{ followNotifications }, { watchForAlarms }] = await Promise.all([import("./parts/inbox.js"), import("./parts/alarm.js")]);
    watchForAlarms(document.querySelector("#alarm"), companions.signal);
    followNotifications(count, companions.signal);
  } else if (!session.account) {
    companions?.abort(new DOMException("Logged out", "AbortError"));
    companions = undefined;
    fill(document.querySelector("#alarm"));
  }
});

async function begin() {
  if (!main.isConnected) frame();
  fill(main, loading());
  try {
    await recognise();
    route(showView);
  } catch (error) {
    fill(main, failure(error, begin));
    addEventListener("tandem:found", () => session.isKnown || begin(), { once: true });
  }
}

begin();
