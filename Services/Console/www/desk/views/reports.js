import { h, link, said } from "../../dom.js";
import { list } from "../../parts/list.js";
import { action, tell } from "../../parts/notice.js";
import { tabs } from "../../parts/tabs.js";
import { figures } from "../../words.js";
import { methods } from "../data.js";
import { facts, reasoned } from "../parts.js";
import { texts } from "../words.js";

const OPERATORS = "tandem.identity.v1.Operators";
const own = texts.reports;

export const title = () => own.title;

export default function reports({ query, signal }) {
  const [userId, all] = [query.get("user") ?? "", query.get("tab") === "all"];
  const found = list(async (pageToken) => {
    const answer = await methods.call(`${OPERATORS}/ListReports`, { userId, includeClosed: all || Boolean(userId), pageToken }, { signal });
    return { items: answer.reports, next: answer.nextPageToken };
  }, (report) => row(report, () => found.reload()), own.none);
  return h("div", { class: "narrow" }, h("h1", { tabIndex: -1 }, own.title), !userId && tabs("reports", [["open", own.open], ["all", own.all]], all ? "all" : "open"), found);
}

function row(report, reload) {
  const close = () => reasoned(own.close, own, async ({ reason, actor }) => {
    await methods.act(`${OPERATORS}/CloseReport`, { reportId: report.reportId, reason, actor });
    tell(own.closedNow);
    reload();
  });
  const reason = String(report.reason ?? "").replace("REPORT_REASON_", "").replaceAll("_", " ").toLowerCase();
  return h("article", { class: "card" },
    h("div", { class: "head" }, h("h2", {}, link(`users/${report.userId}`, {}, said(report.username))), report.closeTime ? h("span", { class: "tag" }, own.closed) : action(own.close, close)),
    h("p", {}, h("span", { class: "tag warn" }, reason), " ", figures.full(report.createTime)),
    report.remarks && said(report.remarks, "p"),
    facts([[own.by, report.reporterUsername || own.deleted], [own.evidence, (report.evidenceIds ?? []).join(", ")]]),
    (report.changes ?? []).length > 1 && h("details", {}, h("summary", {}, own.history), h("ul", {}, report.changes.map((change) => said(`${figures.full(change.time)} ${change.change} ${change.actor} ${change.reason ?? ""}`, "li")))));
}
