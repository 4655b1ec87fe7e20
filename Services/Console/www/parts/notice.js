import { fill, h } from "../dom.js";
import { complaint, words } from "../words.js";

/** Says something in passing, for the eye and for screen readers. */
export function tell(text, kind = "done") {
  post(h("p", { class: `notice ${kind}` }, text), 6_000);
}

/** Shows a notice for these milliseconds. */
export function post(notice, duration) {
  let place = document.querySelector("#notices");
  if (!place) {
    place = h("div", { id: "notices", role: "status", "aria-live": "polite" });
    document.body.append(place);
    for (const event of ["focusin", "scroll", "resize"]) addEventListener(event, () => dodge(place), { passive: true });
  }
  place.append(notice);
  dodge(place);
  setTimeout(() => notice.remove(), duration);
}

/** What people write in is never covered: where it is below, the notices are above. */
function dodge(place) {
  place.classList.remove("above");
  const box = place.getBoundingClientRect();
  if (box.height === 0) return;
  const fields = [...document.querySelectorAll(".composer, input:focus, textarea:focus, select:focus")];
  const isAbove = fields.some((field) => meet(box, field.getBoundingClientRect()));
  place.classList.toggle("above", isAbove);
  // An alarm is never covered either.
  const alarm = document.querySelector(".sos-banner")?.getBoundingClientRect().bottom;
  place.style.top = isAbove && alarm > 0 ? `${alarm + 8}px` : "";
}

const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

export const tellError = (error) => tell(complaint(error), "bad");

/** What stands where something could not be loaded. */
export function failure(error, again) {
  return h("div", { class: "failure", role: "alert" },
    h("p", {}, complaint(error)),
    again && h("button", { type: "button", on: { click: again } }, words.again));
}

/** What stands where something is being loaded. */
export function loading() {
  return h("div", { class: "loading", role: "status" }, h("span", { class: "spinner", "aria-hidden": "true" }), words.loading);
}

/** What stands where there is nothing. */
export function nothing(text, ...more) {
  return h("div", { class: "nothing" }, h("p", {}, text), more);
}

/**
 * Shows in an element what is loaded, and the way there: waiting, failure with another attempt.
 *
 * @param {Element} place
 * @param {() => Promise<Node|Array>} load
 */
export async function show(place, load) {
  const timer = setTimeout(() => fill(place, loading()), place.childElementCount ? 400 : 0);
  place.setAttribute("aria-busy", "true");
  try {
    const content = await load();
    clearTimeout(timer);
    fill(place, content);
  } catch (error) {
    clearTimeout(timer);
    if (error.name === "AbortError") return;
    if (!error.code) console.error(error);
    fill(place, failure(error, () => show(place, load)));
  } finally {
    place.removeAttribute("aria-busy");
  }
}

/** Does something once at a time while a button shows it. */
export function doing(button, act) {
  return async (event) => {
    event?.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    try {
      await act(event);
    } catch (error) {
      if (!error.code) console.error(error);
      tellError(error);
    } finally {
      button.disabled = false;
    }
  };
}

/** A button that does something with the server. */
export function action(text, act, { kind = "", ...properties } = {}) {
  const button = h("button", { type: "button", class: kind, ...properties }, text);
  button.addEventListener("click", doing(button, act));
  return button;
}
