import { h, said, svg } from "../dom.js";
import { figures, words } from "../words.js";

/** Of a state: the class that colours it, and a shape of its own, so that colour is not all that tells. */
const SHAPES = {
  MEMBER_STATE_INACTIVE: ["inactive", () => svg("circle", { class: "shape", cx: 12, cy: 12, r: 8 })],
  MEMBER_STATE_ACTIVE: ["active", () => svg("circle", { class: "shape", cx: 12, cy: 12, r: 10 })],
  MEMBER_STATE_ROUTING: ["routing", (course) => svg("path", { class: "shape", d: "M12 0 22 23 12 17 2 23z", transform: `rotate(${course ?? 45} 12 12)` })],
  MEMBER_STATE_WARNING: ["warning", () => [svg("path", { class: "shape", d: "M12 -1 25 12 12 25 -1 12z" }), svg("text", { class: "shape-text", x: 12, y: 16 }, "!")]],
  MEMBER_STATE_SOS: ["sos", () => [svg("path", { class: "shape", d: "M7 0h10l7 7v10l-7 7H7l-7-7V7z" }), svg("text", { class: "shape-text", x: 12, y: 16 }, "SOS")]],
};

export function shape(member) {
  const [kind, draw] = SHAPES[member.state] ?? SHAPES.MEMBER_STATE_INACTIVE;
  return { kind, drawing: svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, draw(member.position?.course)) };
}

/** What the state says, with warnings. */
export function stateText(member) {
  const state = words.states[member.state] ?? words.states.MEMBER_STATE_INACTIVE;
  const warnings = (member.warnings ?? []).map((warning) => words.warnings[warning] ?? warning);
  return [state, ...warnings].join(", ");
}

/** When the member arrives, as promised and as it looks now. */
export function arrivalText(member) {
  if (!member.arrivalTime) return "";
  const promised = words.group.promised(figures.time(member.arrivalTime));
  return member.estimatedArrivalTime ? `${promised}, ${words.group.estimated(figures.time(member.estimatedArrivalTime))}` : promised;
}

/** A member on the map. */
export function memberMark(member) {
  const { kind, drawing } = shape(member);
  return h("span", { class: `member state-${kind}` }, drawing, said(member.username || "?", "span", { class: "name" }));
}
