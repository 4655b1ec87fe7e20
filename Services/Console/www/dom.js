/** Elements, made without markup: whatever text comes in is text. */

const SVG = "http://www.w3.org/2000/svg";

function set(element, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name === "class") element.setAttribute("class", value);
  else if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
  else if (name === "data") Object.assign(element.dataset, value);
  else if (name === "css") for (const [key, one] of Object.entries(value)) element.style.setProperty(key, one);
  else if (name in element && element.namespaceURI !== SVG && !name.includes("-") && name !== "list" && name !== "form") element[name] = value;
  else element.setAttribute(name, value === true ? "" : value);
}

function make(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) set(element, name, value);
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/**
 * An element.
 *
 * @param {string} tag
 * @param {object} [properties] properties or attributes; `on` are event handlers, `data` the dataset, `css` custom properties
 * @param {...(Node|string|Array|null)} children
 */
export function h(tag, properties, ...children) {
  return make(document.createElement(tag), properties, children);
}

/** An element of SVG. */
export function svg(tag, attributes, ...children) {
  return make(document.createElementNS(SVG, tag), attributes, children);
}

/** Text that a person wrote: isolated in its own direction, broken wherever it has to be. */
export function said(text, tag = "bdi", properties = {}) {
  return h(tag, { dir: "auto", ...properties, class: `said ${properties.class ?? ""}` }, text ?? "");
}

/** A link to a view, which the router follows. */
export function link(path, properties, ...children) {
  return h("a", { href: `/console/${path}`, ...properties }, ...children);
}

const ICONS = {
  home: "M3 11 12 3l9 8v10h-6v-6H9v6H3z",
  people: "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8m-7 10c0-4 3-7 7-7s7 3 7 7m0-17a3.5 3.5 0 0 1 0 7m3 10c0-3-1-5-3-6",
  book: "M4 4h6a2 2 0 0 1 2 2v14a2 2 0 0 0-2-2H4zm16 0h-6a2 2 0 0 0-2 2v14a2 2 0 0 1 2-2h6z",
  gym: "M2 9v6m3-9v12m14-12v12m3-9v6M5 12h14",
  activity: "M2 13h5l3-9 4 16 3-7h5",
  bell: "M6 16V10a6 6 0 0 1 12 0v6l2 2H4zM10 21h4",
  user: "M12 12a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M3 21c0-5 4-7 9-7s9 2 9 7",
  code: "m8 6-6 6 6 6m8-12 6 6-6 6M14 3l-4 18",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10",
  pin: "M12 22s7-7 7-12a7 7 0 0 0-14 0c0 5 7 12 7 12m0-9a3 3 0 1 0 0-6 3 3 0 0 0 0 6",
  chat: "M4 4h16v12H9l-5 4z",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v5m8-5v5",
  check: "m4 12 5 6L20 5",
  close: "m5 5 14 14M19 5 5 19",
  menu: "M3 6h18M3 12h18M3 18h18",
  play: "M7 4v16l13-8z",
  stop: "M6 6h12v12H6z",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5v.1",
  watch: "M8 6h8v12H8zM9 6l1-4h4l1 4M9 18l1 4h4l1-4M12 10v2l1.5 1",
  upload: "M12 16V4m-5 5 5-5 5 5M4 20h16",
  warning: "M12 3 1 21h22zm0 6v6m0 3v.5",
  search: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14m5-2 6 6",
};

/** A drawing beside a text, which says what it means. */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

export function logo() {
  return svg("svg", { class: "logo", viewBox: "0 0 32 32", "aria-hidden": "true" }, svg("rect", { width: 32, height: 32, rx: 7 }),
    svg("circle", { cx: 9, cy: 20, r: 5 }), svg("circle", { cx: 23, cy: 20, r: 5 }), svg("path", { d: "m9 20 5-9h6l3 9M14 11l3 9" }));
}

/** Replaces the content of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}
