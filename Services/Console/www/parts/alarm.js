import { fill, h, icon, link, said } from "../dom.js";
import { tandem } from "../session.js";
import { figures, words } from "../words.js";
import { inbox } from "./inbox.js";

const [GROUPS, LOCATIONS] = ["tandem.identity.v1.Groups", "tandem.tracking.v1.Locations"];
const KINDS = ["NOTIFICATION_KIND_SOS_STARTED", "NOTIFICATION_KIND_SOS_STOPPED", "NOTIFICATION_KIND_SOS_WENT_OFFLINE"];
/** Milliseconds between looks, for alerts whose notification is late. */
const LOOK = 30_000;
const MAX_GROUPS = 100;

/** Shows who is in SOS, above every view, until it is over. */
export async function watchForAlarms(place, signal) {
  const look = async () => {
    try {
      show(place, await membersInSOS(signal));
    } catch (error) {
      if (!signal.aborted && !error.code) console.error(error);
    }
  };
  inbox.addEventListener("new", ({ detail }) => KINDS.includes(detail.kind) && look(), { signal });
  addEventListener("tandem:found", look, { signal });
  addEventListener("tandem:sos", look, { signal });
  const timer = setInterval(look, LOOK);
  signal.addEventListener("abort", () => clearInterval(timer));
  await look();
}

async function membersInSOS(signal) {
  const { groups = [] } = await tandem.call(`${GROUPS}/ListGroups`, { pageSize: MAX_GROUPS }, { signal });
  if (groups.length === 0) return [];
  const names = new Map(groups.map((group) => [group.groupId, group.name]));
  const found = await tandem.call(`${LOCATIONS}/GetMembers`, { groupIds: [...names.keys()] }, { signal });
  const members = (found.groups ?? []).flatMap((group) => group.members ?? []);
  const alarmed = members.filter((member) => member.state === "MEMBER_STATE_SOS");
  return [...new Map(alarmed.map((member) => [member.userId, { ...member, groupName: names.get(member.groupId) }])).values()];
}

function show(place, members) {
  document.documentElement.classList.toggle("in-sos", members.length > 0);
  fill(place, members.map((member) => h("div", { class: "sos-banner", role: "alert" }, icon("warning"),
    h("p", {}, h("strong", {}, "SOS"), " ", said(member.username), " ", words.sos.needsHelp, member.position ? ` ${words.sos.seen(figures.ago(member.position.time))}` : ` ${words.sos.noPlace}`),
    link(`groups/${member.groupId}?follow=${member.userId}`, { class: "button" }, words.sos.show))));
}
