import { h, link } from "../dom.js";

/** Tabs are links: each has its address. `tabs` are pairs of key and text; the first one's address has no parameter. */
export function tabs(path, tabs, chosen) {
  return h("nav", { class: "tabs", "aria-label": path }, tabs.map(([key, text], at) =>
    link(at ? `${path}?tab=${key}` : path, { "aria-current": key === chosen ? "page" : undefined }, text)));
}

/** A field with a button, whose words are in the address. */
export function search(label, value, act, properties = {}) {
  const input = h("input", { type: "search", value: value ?? "", "aria-label": label, placeholder: label, dir: "auto", ...properties });
  return h("form", { class: "search", role: "search", on: { submit: (event) => { event.preventDefault(); act(input.value.trim()); } } }, input, h("button", { type: "submit" }, label));
}
