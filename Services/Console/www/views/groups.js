import { fill, h, icon, link, said } from "../dom.js";
import { TandemChat } from "../parts/chat.js";
import { asked, dialog } from "../parts/dialog.js";
import { form } from "../parts/form.js";
import { list } from "../parts/list.js";
import { makeMap, ownPlace, pin } from "../parts/map.js";
import { arrivalText, memberMark, shape, stateText } from "../parts/member.js";
import { action, show, tell, tellError } from "../parts/notice.js";
import { sharing } from "../parts/share.js";
import { GroupWatch } from "../parts/watch.js";
import { go, keep } from "../router.js";
import { session, tandem } from "../session.js";
import { complaint, figures, words } from "../words.js";

const [GROUPS, INVITATIONS] = ["tandem.identity.v1.Groups", "tandem.identity.v1.Invitations"];
const [LOCATIONS, JOURNEYS, SHARES] = ["Locations", "Journeys", "JourneyShares"].map((name) => `tandem.tracking.v1.${name}`);
/** Points of a trail. */
const MAX_TRAIL = 400;
/** Metres that a trail's path may leave out. */
const TRAIL_TOLERANCE = 5;

export const title = () => words.nav.groups;

export default function groups({ parts, query, signal }) {
  return parts[1] ? group(parts[1], query, signal) : overview(signal);
}

// All groups

function overview(signal) {
  const all = list(
    async (pageToken) => {
      const answer = await tandem.call(`${GROUPS}/ListGroups`, { pageToken }, { signal });
      return { items: answer.groups, next: answer.nextPageToken };
    },
    (group) => link(`groups/${group.groupId}`, { class: "item" }, icon("people"), h("div", {}, said(group.name, "h2"), h("p", { class: "dim" }, words.group.members(group.memberCount ?? 0)))),
    words.group.none);
  const invitations = h("div", {});
  const loadInvitations = () => show(invitations, async () => {
    const { invitations: found = [] } = await tandem.call(`${INVITATIONS}/ListInvitations`, {}, { signal });
    return found.length > 0 && h("section", { class: "card hint" }, h("h2", {}, words.group.invitations), h("div", { class: "rows" }, found.map((one) => invitation(one, () => { loadInvitations(); all.reload(); }))));
  });
  loadInvitations();
  const create = () => {
    const opened = dialog(words.group.create, form({
      fields: [{ name: "name", label: words.group.name, required: true, path: "group.name" }], button: words.group.createButton,
      act: async ({ name }) => {
        const made = await tandem.act(`${GROUPS}/CreateGroup`, { group: { name } });
        opened.close();
        go(`groups/${made.groupId}`);
      },
    }));
  };
  return h("div", {}, h("div", { class: "head" }, h("h1", { tabIndex: -1 }, words.nav.groups), h("button", { type: "button", class: "main", on: { click: create } }, words.group.create)), invitations, all);
}

function invitation(one, done) {
  const { invitationId } = one;
  return h("div", { class: "row" }, h("span", {}, said(one.inviterUsername), " ", words.group.invitesYou, " ", said(one.group?.name, "strong")),
    h("div", { class: "actions" },
      action(words.group.accept, async () => { await tandem.act(`${INVITATIONS}/AcceptInvitation`, { invitationId }); done(); }, { kind: "main" }),
      action(words.group.decline, async () => { await tandem.act(`${INVITATIONS}/DeclineInvitation`, { invitationId }); done(); })));
}

// One group

async function group(groupId, query, signal) {
  const [found, members] = await Promise.all([
    tandem.call(`${GROUPS}/GetGroup`, { groupId }, { signal }),
    tandem.call(`${GROUPS}/ListGroupMembers`, { groupId, pageSize: 200 }, { signal }),
  ]);
  const names = new Map((members.members ?? []).map((one) => [one.userId, one.username]));
  const live = new LiveMap(found, names, query.get("follow"), signal);
  const chat = Object.assign(new TandemChat(), { conversationId: groupId, names, signal });
  live.addEventListener("named", () => chat.named());
  return h("div", {},
    h("div", { class: "head" }, said(found.name, "h1", { tabIndex: -1 }), h("div", {}, live.state, menu(found, names, signal))),
    live.controls, h("div", { class: "live" }, h("section", { "aria-label": words.group.map }, live.map, live.destination, live.rows), chat));
}

function menu(group, names, signal) {
  const { groupId } = group;
  return h("div", { class: "actions" },
    h("button", { type: "button", on: { click: () => invite(groupId) } }, words.group.invite),
    h("button", { type: "button", on: { click: () => showPeople(group, names, signal) } }, words.group.people));
}

function invite(groupId) {
  const opened = dialog(words.group.invite, form({
    fields: [{ name: "email", label: words.register.email, type: "email", required: true, help: words.group.inviteHelp }], button: words.group.inviteButton,
    act: async ({ email }) => {
      await tandem.act(`${GROUPS}/AddGroupMember`, { groupId, email });
      opened.close();
      tell(words.group.invited);
    },
  }));
}

function showPeople({ groupId, name }, names) {
  const rows = [...names.values()].map((username) => h("li", { class: "row" }, link(`people/${encodeURIComponent(username)}`, {}, said(username))));
  const leave = action(words.group.leave, async () => {
    if (!(await asked(words.group.leave, words.group.leaveText(name), words.group.leave))) return;
    await tandem.act(`${GROUPS}/LeaveGroup`, { groupId });
    opened.close();
    go("groups");
  }, { kind: "danger" });
  const opened = dialog(words.group.people, [h("ul", { class: "rows" }, rows), h("div", { class: "actions" }, leave)]);
  opened.element.addEventListener("click", ({ target }) => target.closest("a") && opened.close());
}

/** The map of a group, what stands below it, and what its own user can do there. */
class LiveMap extends EventTarget {
  #trails = new Map();
  #journeys = new Map();
  #hasFitted = false;

  constructor(group, names, followed, signal) {
    super();
    Object.assign(this, { group, names, followed, signal });
    this.map = makeMap(words.group.map);
    this.rows = h("ul", { class: "member-list" });
    this.controls = h("div", { class: "actions controls" });
    this.destination = h("div", {});
    this.state = h("span", { class: "live-state waiting", role: "status" }, words.connecting);
    this.watch = new GroupWatch(group.groupId);
    this.watch.addEventListener("state", ({ detail }) => {
      this.state.className = `live-state ${detail}`;
      this.state.textContent = detail === "live" ? words.live : words.reconnecting;
    });
    this.watch.addEventListener("changed", ({ detail }) => this.#changed(detail));
    this.watch.addEventListener("place", ({ detail }) => tell(words.group.placeEvents[detail.kind](this.names.get(detail.userId) ?? "", detail.placeName)));
    this.watch.addEventListener("ended", () => tell(words.group.over, "bad"));
    this.map.addEventListener("dragged", () => this.#follow(undefined));
    this.watch.run(signal).catch((error) => signal.aborted || tellError(error));
    sharing.addEventListener("refused", () => tell(words.map.noPlace, "bad"), { signal });
    const timer = setInterval(() => this.#showRows(), 15_000);
    signal.addEventListener("abort", () => clearInterval(timer));
  }

  #changed({ ids, isWhole }) {
    if (isWhole) this.map.clear("member-");
    for (const id of ids) this.#showMember(id);
    const points = [...this.watch.members.values()].map((member) => member.position).filter(Boolean);
    if (!this.#hasFitted && points.length > 0) {
      this.#hasFitted = true;
      this.map.fit(points);
    }
    const followed = this.watch.members.get(this.followed);
    if (followed?.position) this.map.centre(followed.position);
    this.#showRows();
    this.#showControls();
  }

  #showMember(id) {
    const member = this.watch.members.get(id);
    if (member?.username && this.names.get(id) !== member.username) {
      this.names.set(id, member.username);
      this.dispatchEvent(new Event("named"));
    }
    if (!member?.position) return this.map.drop(`member-${id}`);
    const order = member.state === "MEMBER_STATE_SOS" ? 1_000 : 0;
    this.map.mark(`member-${id}`, member.position, { element: memberMark(member), title: `${member.username}: ${stateText(member)}`, act: () => this.#follow(id), order });
    this.#trail(member);
    this.#journey(member);
    if (member.state === "MEMBER_STATE_SOS") dispatchEvent(new Event("tandem:sos"));
  }

  /** What has been seen of the way, behind what was recorded of a journey or an alert before. */
  #trail(member) {
    const { userId, position } = member;
    const trail = this.#trails.get(userId) ?? [];
    const last = trail.at(-1);
    if (!last || last.latitude !== position.latitude || last.longitude !== position.longitude) trail.push(position);
    trail.splice(0, trail.length - MAX_TRAIL);
    this.#trails.set(userId, trail);
    if (trail.length > 1) this.map.line(`trail-${userId}`, trail, `trail ${member.state === "MEMBER_STATE_SOS" ? "sos" : ""}`);
  }

  async #journey(member) {
    const { userId } = member;
    const id = member.journeyId || member.sosId;
    if (id === this.#journeys.get(userId)) return;
    this.#journeys.set(userId, id);
    this.map.drop(`goal-${userId}`);
    if (!id) return this.#trails.delete(userId), this.map.drop(`trail-${userId}`);
    try {
      const journey = await tandem.call(`${JOURNEYS}/GetJourney`, { journeyId: id }, { signal: this.signal });
      if (journey.destination) this.map.mark(`goal-${userId}`, journey.destination, { element: pin("goal"), title: words.group.goalOf(member.username) });
      const before = [];
      for await (const { points = [] } of tandem.stream(`${JOURNEYS}/GetPath`, { journeyId: id, toleranceM: TRAIL_TOLERANCE }, { signal: this.signal })) before.push(...points);
      const since = this.#trails.get(userId) ?? [];
      const last = Date.parse(before.at(-1)?.time ?? 0);
      this.#trails.set(userId, [...before, ...since.filter((point) => Date.parse(point.time) > last)].slice(-MAX_TRAIL));
      this.#trail(this.watch.members.get(userId) ?? member);
    } catch (error) {
      if (!error.code && !this.signal.aborted) throw error;
    }
  }

  #follow(id) {
    if (this.followed === id) return;
    this.followed = id;
    keep({ follow: id });
    const member = this.watch.members.get(id);
    if (member?.position) this.map.centre(member.position, Math.max(15, this.map.map?.getZoom() ?? 0));
    this.#showRows();
  }

  #showRows() {
    const order = ["MEMBER_STATE_SOS", "MEMBER_STATE_WARNING", "MEMBER_STATE_ROUTING", "MEMBER_STATE_ACTIVE", "MEMBER_STATE_INACTIVE"];
    const members = [...this.watch.members.values()].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || (a.username ?? "").localeCompare(b.username ?? ""));
    const focused = document.activeElement?.dataset?.member;
    fill(this.rows, members.map((member) => {
      const { kind, drawing } = shape(member);
      const id = member.journeyId || member.sosId;
      const details = [stateText(member), arrivalText(member), member.position && figures.ago(member.position.time)].filter(Boolean).join(" · ");
      const row = h("button", { type: "button", class: `member-row state-${kind}`, data: { member: member.userId }, "aria-pressed": String(this.followed === member.userId), disabled: !member.position,
        on: { click: () => this.#follow(this.followed === member.userId ? undefined : member.userId) } },
        drawing, h("span", {}, said(member.username || "?", "strong"), h("span", { class: "dim small" }, details)));
      return h("li", {}, row, id && link(`journeys/${id}`, { class: "plain", "aria-label": words.group.journeyOf(member.username) }, icon("play")));
    }));
    if (focused) this.rows.querySelector(`[data-member="${focused}"]`)?.focus();
  }

  // What the user can do

  get own() {
    return this.watch.members.get(session.account?.userId);
  }

  #showControls() {
    const own = this.own;
    const key = `${own?.state}${own?.journeyId}${own?.sosId}${sharing.isOn}`;
    if (this.shown === key) return;
    this.shown = key;
    const { groupId } = this.group;
    const isShared = own && (own.state !== "MEMBER_STATE_INACTIVE" || sharing.isOn);
    const share = isShared
      ? action(words.group.stopSharing, async () => { sharing.stop(); await tandem.act(`${LOCATIONS}/StopSharing`, { groupIds: [groupId] }); this.shown = ""; })
      : action(words.group.share, async () => { await tandem.act(`${LOCATIONS}/StartSharing`, { groupIds: [groupId] }); sharing.start(); this.shown = ""; this.#showControls(); }, { kind: "main" });
    const journey = own?.journeyId
      ? [action(words.group.stopJourney, () => tandem.act(`${JOURNEYS}/StopJourney`)), action(words.group.shareJourney, () => this.#shareJourney(own.journeyId))]
      : h("button", { type: "button", on: { click: () => this.#planJourney() } }, words.group.startJourney);
    const sos = own?.sosId
      ? action(words.sos.stop, () => tandem.act(`${JOURNEYS}/StopSOS`), { kind: "sos-button" })
      : h("button", { type: "button", class: "sos-button", on: { click: () => this.#startSOS() } }, icon("warning"), words.sos.start);
    fill(this.controls, share, journey, sos);
  }

  async #startSOS() {
    if (!(await asked(words.sos.start, words.sos.sure, words.sos.send))) return;
    try {
      const position = await Promise.race([ownPlace().catch(() => undefined), new Promise((resume) => setTimeout(resume, 3_000))]);
      const alert = await tandem.act(`${JOURNEYS}/StartSOS`, { position });
      sharing.start();
      tell(alert.notice || words.sos.sent(alert.alertedMembers ?? 0), "bad");
      dispatchEvent(new Event("tandem:sos"));
    } catch (error) {
      tellError(error);
    }
  }

  #planJourney() {
    const soon = new Date(Date.now() + 30 * 60_000 - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    let destination;
    const where = h("p", { role: "status", class: "dim" }, words.group.chooseGoal);
    const chosen = ({ detail }) => {
      destination = detail;
      where.textContent = words.group.goalChosen(detail.latitude.toFixed(5), detail.longitude.toFixed(5));
      this.map.mark("goal-plan", detail, { element: pin("goal") });
    };
    const close = () => {
      this.map.removeEventListener("place", chosen);
      this.map.drop("goal-plan");
      fill(this.destination);
    };
    this.map.addEventListener("place", chosen);
    const modes = ["WALKING", "CYCLING", "DRIVING", "TRANSIT"].map((mode) => [`TRAVEL_MODE_${mode}`, words.modes[mode]]);
    fill(this.destination, h("section", { class: "card" }, h("h2", {}, words.group.startJourney), where, form({
      fields: [
        { name: "place", label: words.group.goal, placeholder: "1.3521, 103.8198", help: words.group.goalHelp, path: "destination" },
        { name: "arrival", label: words.group.arrival, type: "datetime-local", value: soon, required: true, path: "arrival_time" },
        { name: "mode", label: words.group.mode, type: "select", options: [["TRAVEL_MODE_UNSPECIFIED", words.modes.none], ...modes] },
      ],
      button: words.group.go,
      more: h("button", { type: "button", on: { click: close } }, words.cancel),
      act: async ({ place, arrival, mode }) => {
        const [latitude, longitude] = place.split(/[,; ]+/).map(Number);
        if (place.trim()) destination = { latitude, longitude };
        await tandem.act(`${LOCATIONS}/StartSharing`, { groupIds: [this.group.groupId] });
        await tandem.act(`${JOURNEYS}/StartJourney`, { groupIds: [this.group.groupId], destination, arrivalTime: new Date(arrival).toISOString(), mode });
        sharing.start();
        close();
      },
    })));
    this.destination.querySelector("input").focus();
  }

  async #shareJourney(journeyId) {
    const { token, share } = await tandem.act(`${SHARES}/CreateShare`, { journeyId });
    const address = `${location.origin}/console/shared#${token}`;
    const field = h("input", { value: address, readOnly: true, "aria-label": words.group.link });
    const copy = action(words.copy, async () => { await navigator.clipboard.writeText(address); tell(words.copied); });
    dialog(words.group.shareJourney, [h("p", {}, words.group.linkHelp(figures.full(share.expireTime))), h("div", { class: "search" }, field, copy)]);
    field.select();
  }
}
