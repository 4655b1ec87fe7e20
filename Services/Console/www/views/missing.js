import { h, link } from "../dom.js";
import { words } from "../words.js";

export const title = () => words.missing.title;

export default function missing() {
  return h("section", { class: "narrow" }, h("h1", { tabIndex: -1 }, words.missing.title), h("p", {}, words.missing.text), link("", { class: "button" }, words.missing.front));
}
