/** The frame of the operators' console. */

import { fill, h, icon, link } from "../dom.js";
import { failure, loading } from "../parts/notice.js";
import { go, here, route } from "../router.js";
import { isDark, switchTheme } from "../theme.js";
import { words } from "../words.js";
import { change, enter, methods } from "./data.js";
import { texts } from "./words.js";

const VIEWS = {
  "": () => import("./views/health.js"),
  metrics: () => import("./views/metrics.js"),
  users: () => import("./views/users.js"),
  jobs: () => import("./views/jobs.js"),
  events: () => import("./views/events.js"),
  reports: () => import("./views/reports.js"),
  bars: () => import("./views/bars.js"),
  settings: () => import("./views/settings.js"),
  log: () => import("./views/log.js"),
};

const main = h("main", { id: "main", tabIndex: -1 });
const navigation = h("nav", { class: "main-nav desk-nav", "aria-label": texts.nav.label });
let leaving = new AbortController();
let hasMoved = false;

function frame() {
  const theme = h("button", { type: "button", class: "plain", "aria-label": words.nav.theme, "aria-pressed": String(isDark()), title: words.nav.theme }, icon("moon"));
  theme.addEventListener("click", () => {
    switchTheme();
    theme.setAttribute("aria-pressed", String(isDark()));
  });
  const out = h("button", { type: "button", on: { click: leave } }, texts.nav.leave);
  document.body.append(
    h("a", { class: "skip", href: "#main", on: { click: (event) => { event.preventDefault(); main.focus(); } } }, words.nav.skip),
    h("header", { class: "top" }, link("", { class: "brand", "aria-label": texts.title }, h("img", { src: new URL("../icon.svg", import.meta.url).href, alt: "", width: 28, height: 28 }), h("span", {}, "Tandem")), navigation, h("div", { class: "corner" }, theme, out)),
    main);
  document.querySelector("noscript")?.remove();
}

function showNavigation() {
  const part = here().parts[0] ?? "";
  fill(navigation, h("ul", {}, Object.keys(VIEWS).map((path) =>
    h("li", {}, link(path, { "aria-current": part === path ? "page" : undefined }, texts.nav[path || "health"])))));
}

async function leave() {
  try {
    await change("leave");
  } catch (error) {
    if (!error.isLoggedOut) return fill(main, failure(error, leave));
  }
  showEntrance(h("p", { role: "status" }, texts.enter.left));
}

/** What stands where no one was let in. */
function showEntrance(more) {
  leaving.abort(new DOMException("The session is over", "AbortError"));
  navigation.hidden = true;
  document.title = texts.title;
  fill(main, h("section", { class: "narrow card" }, h("h1", { tabIndex: -1 }, texts.enter.title), more, h("p", {}, texts.enter.text), h("pre", {}, texts.enter.command)));
}

async function showView() {
  leaving.abort(new DOMException("The view was left", "AbortError"));
  leaving = new AbortController();
  const { signal } = leaving;
  const { parts, query } = here();
  if (parts[0] === "enter") return follow();
  navigation.hidden = false;
  showNavigation();
  const waiting = setTimeout(() => fill(main, loading()), 150);
  try {
    const module = await (VIEWS[parts[0] ?? ""] ?? (() => import("../views/missing.js")))();
    const made = await module.default({ parts, query, signal });
    if (signal.aborted) return;
    document.title = `${module.title?.() ?? ""} · ${texts.title}`;
    fill(main, made);
    scrollTo(0, 0);
    if (hasMoved) (main.querySelector("h1") ?? main).focus({ preventScroll: true });
    hasMoved = true;
  } catch (error) {
    if (signal.aborted) return;
    if (!error.code) console.error(error);
    fill(main, failure(error, showView));
  } finally {
    clearTimeout(waiting);
  }
}

/** The token is behind `#`, which no server sees; it is taken out of the address before it is used. */
async function follow() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  history.replaceState(null, "", "/console/enter");
  fill(main, h("p", { role: "status" }, texts.enter.waiting));
  try {
    await enter(token);
    go("", { replace: true });
  } catch (error) {
    showEntrance(h("p", { role: "alert", class: "complaint" }, error.message));
  }
}

methods.addEventListener("ended", () => showEntrance());
// A link that is opened in a tab with the console.
addEventListener("hashchange", () => location.hash.startsWith("#token=") && showView());
frame();
route(showView);
