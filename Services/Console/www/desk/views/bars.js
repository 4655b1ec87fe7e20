import { h, link, said } from "../../dom.js";
import { list } from "../../parts/list.js";
import { action, tell } from "../../parts/notice.js";
import { tabs } from "../../parts/tabs.js";
import { figures } from "../../words.js";
import { methods } from "../data.js";
import { reasoned } from "../parts.js";
import { texts } from "../words.js";

const BARS = "tandem.matching.v1.Bars";
const own = texts.bars;

export const title = () => own.title;

export default function bars({ query, signal }) {
  const [userId, all] = [query.get("user") ?? "", query.get("tab") === "all"];
  const found = list(async (pageToken) => {
    const answer = await methods.call(`${BARS}/ListBars`, { userId, includeEnded: all || Boolean(userId), pageToken }, { signal });
    return { items: answer.bars, next: answer.nextPageToken };
  }, (record) => row(record, () => found.reload()), own.none);
  return h("div", { class: "narrow" }, h("h1", { tabIndex: -1 }, own.title), !userId && tabs("bars", [["present", own.present], ["all", own.all]], all ? "all" : "present"), found);
}

function row(record, reload) {
  const { bar } = record;
  const isOver = bar.liftTime || Date.parse(bar.endTime) < Date.now();
  const lift = () => reasoned(own.lift, own, async ({ reason, actor }) => {
    await methods.act(`${BARS}/LiftBar`, { barId: bar.barId, reason, actor });
    tell(own.liftedNow);
    reload();
  });
  const cause = String(bar.cause ?? "").replace("BAR_CAUSE_", "").replaceAll("_", " ").toLowerCase();
  return h("article", { class: "item" }, h("div", {}, h("h2", {}, link(`users/${record.userId}`, {}, said(record.username || record.userId))),
    h("p", {}, `${own.cause}: ${cause}`), h("p", { class: "dim small" }, bar.liftTime ? `${own.lifted} ${figures.full(bar.liftTime)}` : `${own.until} ${figures.full(bar.endTime)}`)), !isOver && action(own.lift, lift));
}
