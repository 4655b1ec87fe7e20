import { h } from "../dom.js";
import { show } from "../parts/notice.js";
import { words } from "../words.js";

const file = (path) => new URL(`../${path}`, import.meta.url).href;
const PARTS = [["Leaflet 1.9.3", "django-leaflet 0.34.0", "BSD-2-Clause", "vendor/leaflet-licence.txt"], ["Natural Earth 1:110m", "geopandas 0.14.4", "Public domain", "vendor/natural-earth-licence.txt"]];

export const title = () => words.nav.licences;

export default function licences() {
  return h("div", { class: "narrow" }, h("h1", { tabIndex: -1 }, words.nav.licences), PARTS.map(([name, wheel, licence, path]) => {
    const text = h("pre", { tabIndex: 0 });
    show(text, async () => (await fetch(file(path))).text());
    return h("section", { class: "card" }, h("h2", {}, name), h("p", {}, words.licences.from(wheel, licence)), text);
  }));
}
