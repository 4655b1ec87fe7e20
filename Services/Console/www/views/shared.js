import { CallError, pause } from "../api.js";
import { fill, h, said } from "../dom.js";
import { makeMap, pin } from "../parts/map.js";
import { failure } from "../parts/notice.js";
import { memberMark } from "../parts/member.js";
import { tandem } from "../session.js";
import { figures, label, words } from "../words.js";

/** Milliseconds between looks. */
const LOOK = 10_000;

export const title = () => words.shared.title;

/** A journey by its share link, for everyone who has it. The secret is behind the `#`, where servers do not see it. */
export default async function shared({ signal }) {
  const token = location.hash.slice(1);
  const place = h("div", { class: "narrow" });
  const map = makeMap(words.journey.map);
  const [facts, heading, state] = [h("dl", { class: "facts" }), h("h1", { tabIndex: -1 }, words.shared.title), h("p", { role: "status", class: "live-state" })];
  const trail = [];
  fill(place, heading, state, map, facts);
  const show = (journey) => {
    fill(heading, said(journey.username), " ", words.shared.isOnTheWay);
    const member = { state: "MEMBER_STATE_ROUTING", username: journey.username, position: journey.position };
    if (journey.position) {
      const last = trail.at(-1);
      if (last?.time !== journey.position.time) trail.push(journey.position);
      map.mark("now", journey.position, { element: memberMark(member), title: journey.username, order: 500 });
      if (trail.length > 1) map.line("trail", trail, "trail");
    }
    if (journey.destination) map.mark("goal", journey.destination, { element: pin("goal"), title: words.group.goal });
    if (trail.length <= 1) map.fit([journey.position, journey.destination].filter(Boolean));
    state.textContent = journey.endTime ? words.shared.over : journey.position ? words.shared.seen(figures.ago(journey.position.time)) : words.shared.noPosition;
    state.classList.toggle("waiting", Boolean(journey.endTime) || !journey.position);
    fill(facts, [
      [words.journey.start, figures.time(journey.startTime)], [words.group.arrival, figures.time(journey.arrivalTime)],
      [words.shared.estimated, journey.estimatedArrivalTime && figures.time(journey.estimatedArrivalTime)],
      [words.journey.outcome, journey.outcome && label("JOURNEY_OUTCOME", journey.outcome)], [words.shared.expires, figures.full(journey.expireTime)],
    ].filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  };
  const look = async () => {
    const journey = await tandem.call("tandem.tracking.v1.JourneyShares/GetSharedJourney", { token }, { signal });
    show(journey);
    return !journey.endTime;
  };
  const follow = async () => {
    for (let lasts = true; lasts; ) {
      await pause(LOOK, signal);
      try {
        lasts = await look();
      } catch (error) {
        if (!(error instanceof CallError) || !error.isTransient) throw error;
        state.textContent = words.reconnecting;
        state.classList.add("waiting");
      }
    }
  };
  try {
    if (await look()) follow().catch((error) => signal.aborted || fill(place, heading, failure(error)));
  } catch (error) {
    fill(place, heading, failure(error));
  }
  return place;
}
