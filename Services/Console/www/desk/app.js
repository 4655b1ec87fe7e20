/** The frame of the operators' console. */

import { fill, h, link } from "../dom.js";
import { skipTo, Stage, themeButton } from "../parts/frame.js";
import { failure } from "../parts/notice.js";
import { go, here, route } from "../router.js";
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
const stage = new Stage(main);

function frame() {
  const out = h("button", { type: "button", on: { click: leave } }, texts.nav.leave);
  document.body.append(
    skipTo(main),
    h("header", { class: "top" }, link("", { class: "brand", "aria-label": texts.title }, h("img", { src: new URL("../icon.svg", import.meta.url).href, alt: "", width: 28, height: 28 }), h("span", {}, "Tandem")), navigation, h("div", { class: "corner" }, themeButton(), out)),
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
  stage.leave("The session is over");
  navigation.hidden = true;
  document.title = texts.title;
  fill(main, h("section", { class: "narrow card" }, h("h1", { tabIndex: -1 }, texts.enter.title), more, h("p", {}, texts.enter.text), h("pre", {}, texts.enter.command)));
}

async function showView() {
  const signal = stage.next();
  const { parts, query } = here();
  if (parts[0] === "enter") return follow();
  navigation.hidden = false;
  showNavigation();
  const load = VIEWS[parts[0] ?? ""] ?? (() => import("../views/missing.js"));
  await stage.show(load, { parts, query, signal }, { titled: (title) => `${title} · ${texts.title}`, again: showView });
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
