import { h } from "../dom.js";
import { words } from "../words.js";
import { failure, loading, nothing } from "./notice.js";

/**
 * A list of pages: `load(pageToken)` gives `{ items, next }`, `row(item)` an element, `empty` is said where there is none.
 * Set all three, then call `reload`.
 */
export class TandemList extends HTMLElement {
  #run = 0;
  load = async () => ({ items: [] });
  row = (item) => h("span", {}, String(item));
  empty = "";
  items = [];

  connectedCallback() {
    if (!this.querySelector("ul")) this.replaceChildren(h("ul", { class: "list" }), h("div", { class: "list-end" }));
  }

  async reload() {
    this.connectedCallback();
    this.items = [];
    this.querySelector("ul").replaceChildren();
    await this.#page("");
  }

  async #page(token) {
    const run = (this.#run += 1);
    const [list, end] = [this.querySelector("ul"), this.querySelector(".list-end")];
    end.replaceChildren(loading());
    try {
      const { items = [], next = "" } = await this.load(token);
      if (run !== this.#run) return;
      this.items.push(...items);
      const rows = items.map((item) => h("li", {}, this.row(item)));
      list.append(...rows);
      if (token) rows[0]?.querySelector("a, button")?.focus();
      end.replaceChildren();
      if (next) end.append(h("button", { type: "button", on: { click: () => this.#page(next) } }, words.more));
      if (this.items.length === 0) end.append(typeof this.empty === "string" ? nothing(this.empty) : this.empty);
      this.dispatchEvent(new CustomEvent("loaded", { detail: this.items }));
    } catch (error) {
      if (run !== this.#run || error.name === "AbortError") return;
      if (!error.code) console.error(error);
      end.replaceChildren(failure(error, () => this.#page(token)));
    }
  }
}

customElements.define("tandem-list", TandemList);

/** The element with its parts set, and loaded. */
export function list(load, row, empty, properties = {}) {
  const made = Object.assign(h("tandem-list", properties), { load, row, empty });
  queueMicrotask(() => made.reload());
  return made;
}
