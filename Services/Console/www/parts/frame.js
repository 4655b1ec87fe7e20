/** What the pages for people and for operators have in common: the frame's pieces, and how a view comes into it. */

import { fill, h, icon } from "../dom.js";
import { isDark, switchTheme } from "../theme.js";
import { words } from "../words.js";
import { failure, loading } from "./notice.js";

/** Leads past the navigation, for those who go by keys. */
export const skipTo = (main) => h("a", { class: "skip", href: "#main", on: { click: (event) => { event.preventDefault(); main.focus(); } } }, words.nav.skip);

export function themeButton() {
  const button = h("button", { type: "button", class: "plain", "aria-label": words.nav.theme, "aria-pressed": String(isDark()), title: words.nav.theme }, icon("moon"));
  button.addEventListener("click", () => {
    switchTheme();
    button.setAttribute("aria-pressed", String(isDark()));
  });
  return button;
}

/** Milliseconds after which a view that is not there yet is said to be loaded. */
const PATIENCE = 150;

/** Where the views are shown, one after the other. The signal of the one before ends with it. */
export class Stage {
  #leaving = new AbortController();
  #hasMoved = false;

  constructor(main) {
    this.main = main;
  }

  leave(reason = "The view was left") {
    this.#leaving.abort(new DOMException(reason, "AbortError"));
  }

  /** A signal for the view that comes next. */
  next() {
    this.leave();
    this.#leaving = new AbortController();
    return this.#leaving.signal;
  }

  /**
   * Shows a view.
   *
   * @param {() => Promise<object>} load its module
   * @param {object} place `parts`, `query` and `signal` of the view
   * @param {object} options `titled`, what the window is called for the view's title, `again` for another attempt, and `failed`, elements for
   *   an error in place of the usual ones
   */
  async show(load, place, { titled, again, failed = () => undefined }) {
    const { signal } = place;
    const waiting = setTimeout(() => fill(this.main, loading()), PATIENCE);
    try {
      const module = await load();
      const made = await module.default(place);
      if (signal.aborted) return;
      document.title = titled(module.title?.(place) ?? "");
      fill(this.main, made);
      scrollTo(0, 0);
      if (this.#hasMoved) (this.main.querySelector("h1") ?? this.main).focus({ preventScroll: true });
      this.#hasMoved = true;
    } catch (error) {
      if (signal.aborted) return;
      const shown = failed(error);
      if (!shown && !error.code) console.error(error);
      fill(this.main, shown ?? failure(error, again));
    } finally {
      clearTimeout(waiting);
    }
  }
}
