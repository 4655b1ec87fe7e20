import { h, link } from "../dom.js";
import { tandem } from "../session.js";
import { post } from "./notice.js";
import { pathOf } from "./subject.js";
import { words } from "../words.js";

const NOTIFICATIONS = "tandem.notification.v1.Notifications";

/** Events `new` with the notification, and `counted` with the number of those that are not read. */
export const inbox = new EventTarget();

let unread = 0;

export function setUnread(count) {
  unread = count ?? 0;
  inbox.dispatchEvent(new CustomEvent("counted", { detail: unread }));
}

/** Shows the count, and says what comes, until the session ends. */
export async function followNotifications(place, signal) {
  inbox.addEventListener("counted", ({ detail }) => {
    place.textContent = detail > 99 ? "99+" : String(detail);
    place.hidden = detail === 0;
    place.setAttribute("aria-label", words.inbox.unread(detail));
  }, { signal });
  try {
    setUnread((await tandem.call(`${NOTIFICATIONS}/CountUnread`, {}, { signal })).unreadCount);
    for await (const notification of tandem.notifications(undefined, { signal })) {
      setUnread(unread + 1);
      inbox.dispatchEvent(new CustomEvent("new", { detail: notification }));
      announce(notification);
    }
  } catch (error) {
    if (!signal.aborted && !error.code) throw error;
  }
}

function announce(notification) {
  post(link(pathOf(notification.subject) ?? "notifications", { class: "notice news", dir: "auto" }, h("strong", {}, notification.title), h("span", {}, notification.body)), 8_000);
}
