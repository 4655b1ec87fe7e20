import { h, svg } from "../dom.js";
import { words } from "../words.js";

const [HEIGHT, LEFT, BOTTOM, TOP] = [170, 66, 22, 10];

/** Seconds between what a clock shows. */
const CLOCK = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400];
/** Pixels beside the edge, where a text that is centred would be cut off. */
const EDGE = 30;

/** Round values within a span, `count` at most: multiples of 1, 2 or 5 times a power of ten of `unit`, or what a clock shows. */
function ticks(least, most, count, { unit = 1, isClock = false } = {}) {
  const span = most - least || unit;
  const power = unit * 10 ** Math.floor(Math.log10(span / count / unit));
  const step = (isClock ? CLOCK : [power, 2 * power, 5 * power, 10 * power]).find((one) => span / one <= count) ?? span;
  const first = Math.ceil(least / step);
  return Array.from({ length: Math.max(0, Math.floor(most / step + 1e-6) - first + 1) }, (_, at) => (first + at) * step);
}

/**
 * A line over an axis of seconds. Set `points` (pairs, ascending), `name`, `x` and `y` (how values are written), `unit` (of round values, such as the
 * bytes of a MiB), `span` (the least that the axis shows) and `kind` for its colour; `at` is told the index of the point that is pointed at, or null.
 */
export class TandemPlot extends HTMLElement {
  points = [];
  name = "";
  kind = "";
  unit = 1;
  span = 0;
  x = String;
  y = String;
  at = () => {};

  connectedCallback() {
    this.observer ??= new ResizeObserver(() => this.#draw());
    this.observer.observe(this);
  }

  disconnectedCallback() {
    this.observer.disconnect();
  }

  #draw() {
    const width = Math.max(240, this.clientWidth);
    const [xs, ys] = [this.points.map(([x]) => x), this.points.map(([, y]) => y)];
    const [first, last] = [xs[0], xs.at(-1)];
    const [least, most] = [Math.min(...ys), Math.max(...ys)];
    const lack = Math.max(0, this.span - (most - least)) / 2;
    const [low, high] = [least - lack, most + lack];
    const pad = (high - low || 1) * 0.08;
    const toX = (x) => LEFT + ((x - first) / (last - first || 1)) * (width - LEFT - 8);
    const toY = (y) => TOP + (1 - (y - low + pad) / (high - low + 2 * pad || 1)) * (HEIGHT - TOP - BOTTOM);
    const path = this.points.map(([x, y], at) => `${at ? "L" : "M"}${toX(x).toFixed(1)} ${toY(y).toFixed(1)}`).join("");
    const base = HEIGHT - BOTTOM;
    const lines = ticks(low, high, 4, { unit: this.unit }).map((value) => svg("g", { class: "tick" },
      svg("line", { x1: LEFT, x2: width - 8, y1: toY(value), y2: toY(value) }),
      svg("text", { x: LEFT - 6, y: toY(value) + 4, "text-anchor": "end" }, this.y(value))));
    const below = ticks(first, last, Math.max(2, Math.floor(width / 140)), { isClock: true }).map((value) =>
      svg("text", { class: "tick", x: toX(value), y: HEIGHT - 6, "text-anchor": toX(value) > width - EDGE ? "end" : "middle" }, this.x(value)));
    const cursor = svg("g", { class: "cursor", visibility: "hidden" }, svg("line", { y1: TOP, y2: base }), svg("circle", { r: 4 }));
    const drawing = svg("svg", { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img",
      "aria-label": words.plot.summary(this.name, this.y(least), this.y(most)) },
      lines, below, svg("path", { class: "filled", d: `${path}L${toX(last)} ${base}L${toX(first)} ${base}Z` }),
      svg("path", { class: "drawn", d: path }), cursor);
    const value = h("output", { class: "plot-value" });
    drawing.addEventListener("pointermove", ({ offsetX }) => this.#point(offsetX, toX, toY, cursor, value));
    drawing.addEventListener("pointerleave", () => this.#leave(cursor, value));
    this.className = `plot ${this.kind}`;
    this.replaceChildren(h("div", { class: "plot-head" }, h("h2", {}, this.name), value), drawing);
  }

  #point(place, toX, toY, cursor, value) {
    let at = this.points.findIndex(([x]) => toX(x) >= place);
    if (at < 0) at = this.points.length - 1;
    const [x, y] = this.points[at];
    cursor.setAttribute("visibility", "visible");
    const [line, dot] = cursor.children;
    for (const name of ["x1", "x2"]) line.setAttribute(name, toX(x));
    dot.setAttribute("cx", toX(x));
    dot.setAttribute("cy", toY(y));
    value.textContent = `${this.x(x)} · ${this.y(y)}`;
    this.at(at);
  }

  #leave(cursor, value) {
    cursor.setAttribute("visibility", "hidden");
    value.textContent = "";
    this.at(null);
  }
}

customElements.define("tandem-plot", TandemPlot);

export function plot(parts) {
  return Object.assign(document.createElement("tandem-plot"), parts);
}

/** Bars with their labels, as a table for those who do not see them. */
export function bars(name, rows, write) {
  const most = Math.max(1e-9, ...rows.map(([, value]) => value));
  return h("table", { class: "bars" }, h("caption", {}, name), h("tbody", {}, rows.map(([label, value]) =>
    h("tr", {}, h("th", { scope: "row" }, label),
      h("td", {}, h("span", { class: "bar", css: { "--part": value / most } }), h("span", { class: "bar-value" }, write(value)))))));
}
