/** The map on the gateway's page of a share link: of what the page says in text, which is looked at again while it changes. */

import { pause } from "./api.js";
import { makeMap, pin } from "./parts/map.js";
import { words } from "./words.js";

/** Milliseconds between looks; phones report about as often. */
const LOOK = 15_000;

const main = document.querySelector("main");
const map = makeMap(words.journey.map);
const trail = [];

function points() {
  const found = [...main.querySelectorAll("[data-point]")].map(({ dataset }) => [dataset.point, { latitude: Number(dataset.latitude), longitude: Number(dataset.longitude) }]);
  return Object.fromEntries(found);
}

/** Puts the places on the map. All of them are in view at first, and when the first position is there; from then on the reader moves the map. */
function show({ isFirst = false } = {}) {
  const { destination, position } = points();
  if (isFirst || (position && trail.length === 0)) map.fit([position, destination].filter(Boolean));
  if (destination) map.mark("goal", destination, { element: pin("goal"), title: words.group.goal });
  if (position) {
    const last = trail.at(-1);
    if (last?.latitude !== position.latitude || last.longitude !== position.longitude) trail.push(position);
    map.mark("now", position, { element: pin("here"), title: words.journey.place, order: 500 });
    if (trail.length > 1) map.line("trail", trail, "trail");
  } else {
    map.drop("now");
  }
}

/** Takes the texts of the page as it is now; false where the link has come to its end. */
async function look() {
  const answer = await fetch(location.href, { cache: "no-store" });
  if (answer.status >= 500 || answer.status === 429) return true;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
  if (!answer.ok) {
    main.replaceChildren(...fresh.childNodes);
    return false;
  }
  for (const part of ["h1", "p", "dl"]) main.querySelector(part).replaceWith(fresh.querySelector(part));
  show();
  return main.querySelector("[data-live]") !== null;
}

main.querySelector("dl").before(map);
show({ isFirst: true });
for (let isLive = main.querySelector("[data-live]") !== null; isLive; ) {
  await pause(LOOK);
  // A hidden page waits until it is seen again.
  if (document.hidden) continue;
  // Without a network it is looked at later.
  isLive = await look().catch(() => true);
}
