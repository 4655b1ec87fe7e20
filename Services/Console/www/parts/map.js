import { h } from "../dom.js";
import { words } from "../words.js";

const meta = (name) => document.querySelector(`meta[name="tandem-${name}"]`)?.content ?? "";
const file = (path) => new URL(`../${path}`, import.meta.url).href;

let library;
let world;

/** Leaflet, which is no module and leaves its name in the window. */
const leaflet = () => (library ??= import("../vendor/leaflet.js").then(() => globalThis.L));
const earth = () => (world ??= fetch(file("vendor/world.json")).then((answer) => answer.json()));

/** A ring of Google's encoded polylines, as latitudes and longitudes. */
function ring(text, steps) {
  const [points, now] = [[], [0, 0]];
  for (let at = 0, axis = 0; at < text.length; axis = 1 - axis) {
    let [value, shift, piece] = [0, 0, 0];
    do {
      piece = text.charCodeAt(at++) - 63;
      value |= (piece & 0x1f) << shift;
      shift += 5;
    } while (piece >= 0x20);
    now[axis] += value & 1 ? ~(value >> 1) : value >> 1;
    if (axis === 1) points.push([now[0] / steps, now[1] / steps]);
  }
  return points;
}

/**
 * A map: Natural Earth's countries, or the tiles that the gateway is told of. What is put on it has names, so that it can be moved and
 * taken away: `mark`, `line`, `area`, `drop`. All of them wait until the map is there.
 */
export class TandemMap extends HTMLElement {
  #things = new Map();
  #resolve;
  /** The Leaflet map, once it is there. */
  ready = new Promise((resume) => (this.#resolve = resume));

  connectedCallback() {
    if (this.map || this.isBuilding) return;
    this.isBuilding = true;
    this.setAttribute("role", "group");
    if (!this.hasAttribute("aria-label")) this.setAttribute("aria-label", words.map.name);
    this.#build();
  }

  disconnectedCallback() {
    this.observer?.disconnect();
    this.map?.remove();
    this.map = undefined;
  }

  async #build() {
    const [L, { steps, land, cities }] = await Promise.all([leaflet(), earth()]);
    if (!this.isConnected) return;
    const place = h("div", { class: "map-place" });
    this.prepend(place);
    const map = L.map(place, { center: [20, 10], zoom: 2, minZoom: 1, maxZoom: 19, worldCopyJump: true, attributionControl: false, zoomControl: false });
    L.control.zoom({ zoomInTitle: words.map.zoomIn, zoomOutTitle: words.map.zoomOut }).addTo(map);
    L.control.attribution({ prefix: "Leaflet" }).addTo(map).addAttribution(meta("attribution") || "Natural Earth");
    L.control.scale({ imperial: false }).addTo(map);
    const outlines = land.map((text) => [ring(text, steps)]);
    L.polygon(outlines, { className: "land", interactive: false, smoothFactor: 0.6 }).addTo(map);
    if (meta("tiles")) L.tileLayer(meta("tiles"), { maxZoom: 19 }).addTo(map);
    else this.#drawGrid(L, map);
    this.#nameCities(L, map, cities);
    map.on("click", ({ latlng }) => this.dispatchEvent(new CustomEvent("place", { detail: { latitude: latlng.lat, longitude: latlng.lng } })));
    map.on("moveend", () => this.dispatchEvent(new CustomEvent("moved")));
    map.on("dragstart", () => this.dispatchEvent(new CustomEvent("dragged")));
    this.observer = new ResizeObserver(() => map.invalidateSize());
    this.observer.observe(place);
    [this.map, this.L] = [map, L];
    this.#resolve(map);
  }

  #drawGrid(L, map) {
    const Grid = L.GridLayer.extend({ createTile: () => h("div", { class: "grid-tile" }) });
    new Grid({ pane: "overlayPane" }).addTo(map);
  }

  #nameCities(L, map, cities) {
    const group = L.layerGroup(cities.map(([name, latitude, longitude]) =>
      L.marker([latitude, longitude], { interactive: false, keyboard: false, icon: L.divIcon({ className: "city", html: h("span", {}, name), iconSize: [0, 0] }) })));
    const choose = () => (map.getZoom() >= 4 ? group.addTo(map) : group.remove());
    map.on("zoomend", choose);
    choose();
  }

  /**
   * Puts an element on the map, or moves it.
   *
   * @param {string} id
   * @param {{ latitude: number, longitude: number }} point
   * @param {object} options `element`, `title` for its name, `act` when it is chosen, `order` above others
   */
  async mark(id, { latitude, longitude }, { element, title = "", act, order = 0 } = {}) {
    await this.ready;
    if (!this.map) return;
    const L = this.L;
    let marker = this.#things.get(id);
    if (!marker) {
      marker = L.marker([latitude, longitude], { icon: L.divIcon({ className: "mark", html: element, iconSize: [0, 0] }), keyboard: Boolean(act), interactive: Boolean(act), zIndexOffset: order });
      if (act) marker.on("click", act).on("keypress", ({ originalEvent }) => originalEvent.key === "Enter" && act());
      this.#things.set(id, marker.addTo(this.map));
    } else {
      marker.setLatLng([latitude, longitude]).setZIndexOffset(order);
      if (element) marker.getElement()?.replaceChildren(element);
    }
    const shown = marker.getElement();
    if (!title || !shown) return;
    shown.setAttribute("aria-label", title);
    if (!act) shown.setAttribute("role", "img");
  }

  /** Draws a line, or changes it. */
  async line(id, points, kind = "") {
    await this.ready;
    if (!this.map) return;
    const places = points.map(({ latitude, longitude }) => [latitude, longitude]);
    const line = this.#things.get(id);
    if (line) line.setLatLngs(places);
    else this.#things.set(id, this.L.polyline(places, { className: `line ${kind}`, interactive: false }).addTo(this.map));
  }

  async area(id, { latitude, longitude }, metres, kind = "") {
    await this.ready;
    if (!this.map) return;
    const area = this.#things.get(id);
    if (area) area.setLatLng([latitude, longitude]).setRadius(metres);
    else this.#things.set(id, this.L.circle([latitude, longitude], { radius: metres, className: `area ${kind}`, interactive: false }).addTo(this.map));
  }

  drop(id) {
    this.#things.get(id)?.remove();
    this.#things.delete(id);
  }

  /** Takes away what begins with a name. */
  clear(prefix = "") {
    for (const id of [...this.#things.keys()]) if (id.startsWith(prefix)) this.drop(id);
  }

  /** Shows all of these points. */
  async fit(points, { zoom = 15 } = {}) {
    await this.ready;
    if (!this.map || points.length === 0) return;
    const bounds = this.L.latLngBounds(points.map(({ latitude, longitude }) => [latitude, longitude]));
    this.map.fitBounds(bounds, { maxZoom: zoom, padding: [40, 40], animate: false });
  }

  async centre({ latitude, longitude }, zoom) {
    await this.ready;
    this.map?.setView([latitude, longitude], zoom ?? this.map.getZoom());
  }
}

customElements.define("tandem-map", TandemMap);

/** A map with a name for those who do not see it. */
export function makeMap(name, properties = {}) {
  return h("tandem-map", { "aria-label": name, ...properties });
}

/** A pin. */
export function pin(kind = "") {
  return h("span", { class: `pin ${kind}`, "aria-hidden": "true" });
}

/** Where the device is; refused where the person says no. */
export function ownPlace({ maxAge = 60_000 } = {}) {
  return new Promise((resume, reject) => {
    if (!navigator.geolocation) return reject(Object.assign(new Error(words.map.noPlace), { code: "failed_precondition" }));
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resume({ latitude: coords.latitude, longitude: coords.longitude, accuracyM: coords.accuracy }),
      () => reject(Object.assign(new Error(words.map.noPlace), { code: "failed_precondition", reason: "NO_PLACE" })),
      { enableHighAccuracy: true, timeout: 10_000, maximumAge: maxAge });
  });
}
