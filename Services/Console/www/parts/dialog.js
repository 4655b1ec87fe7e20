import { h, icon } from "../dom.js";
import { words } from "../words.js";

let count = 0;

/**
 * A dialog above everything else; the focus goes back to where it was when it closes.
 *
 * @param {string} title
 * @param {Node|Node[]} content
 * @param {object} [options] `closable`: whether Escape and the cross close it
 * @returns {{ element: HTMLDialogElement, close: (value?: string) => void, closed: Promise<string> }}
 */
export function dialog(title, content, { closable = true, kind = "" } = {}) {
  const id = `dialog-${(count += 1)}`;
  const close = (value = "") => element.close(value);
  const cross = closable && h("button", { type: "button", class: "plain", "aria-label": words.close, on: { click: () => close() } }, icon("close"));
  const element = h("dialog", { class: kind, "aria-labelledby": id },
    h("div", { class: "dialog-head" }, h("h2", { id }, title), cross), h("div", { class: "dialog-body" }, content));
  element.addEventListener("cancel", (event) => closable || event.preventDefault());
  const before = document.activeElement;
  const closed = new Promise((resume) => {
    element.addEventListener("close", () => {
      element.remove();
      before?.focus?.();
      resume(element.returnValue);
    });
  });
  document.body.append(element);
  element.showModal();
  return { element, close, closed };
}

/** Asks before something that cannot be undone; true where it is wanted. */
export async function asked(title, text, button) {
  const yes = h("button", { type: "button", class: "danger", on: { click: () => opened.close("yes") } }, button);
  const no = h("button", { type: "button", on: { click: () => opened.close() } }, words.cancel);
  const opened = dialog(title, [h("p", {}, text), h("div", { class: "actions" }, yes, no)]);
  return (await opened.closed) === "yes";
}
