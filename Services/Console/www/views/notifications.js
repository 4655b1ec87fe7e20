import { h, link, said } from "../dom.js";
import { inbox, setUnread } from "../parts/inbox.js";
import { list } from "../parts/list.js";
import { action } from "../parts/notice.js";
import { pathOf } from "../parts/subject.js";
import { tandem } from "../session.js";
import { figures, words } from "../words.js";

const NOTIFICATIONS = "tandem.notification.v1.Notifications";

export const title = () => words.nav.notifications;

export default function notifications({ signal }) {
  const all = list(async (pageToken) => {
    const answer = await tandem.call(`${NOTIFICATIONS}/ListNotifications`, { pageToken }, { signal });
    return { items: answer.notifications, next: answer.nextPageToken };
  }, row, words.inbox.none);
  inbox.addEventListener("new", () => all.reload(), { signal });
  const read = action(words.inbox.markAll, async () => {
    const last = Math.max(0, ...all.items.map((one) => Number(one.sequence)));
    if (last > 0) setUnread((await tandem.act(`${NOTIFICATIONS}/MarkRead`, { upToSequence: String(last) })).unreadCount);
    all.reload();
  });
  return h("div", { class: "narrow" }, h("div", { class: "head" }, h("h1", { tabIndex: -1 }, words.nav.notifications), read), all);
}

function row(one) {
  const content = [h("div", {}, said(one.title, "h2"), said(one.body, "p"), h("p", { class: "dim small" }, figures.ago(one.createTime))), !one.readTime && h("span", { class: "tag main" }, words.inbox.isNew)];
  const path = pathOf(one.subject);
  if (!path) return h("article", { class: "item" }, content);
  return link(path, { class: "item", on: { click: () => markRead(one) } }, content);
}

async function markRead(one) {
  if (one.readTime) return;
  try {
    setUnread((await tandem.act(`${NOTIFICATIONS}/MarkRead`, { notificationIds: [one.notificationId] })).unreadCount);
  } catch (error) {
    // It stays unread, and is marked another time.
    if (!error.code) throw error;
  }
}
