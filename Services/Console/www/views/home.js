import { fill, h, icon, link, said } from "../dom.js";
import { isDemo, walk } from "../parts/demo.js";
import { inbox } from "../parts/inbox.js";
import { show } from "../parts/notice.js";
import { session, tandem } from "../session.js";
import { figures, words } from "../words.js";

export const title = () => "";

const TOUR = [["groups", "people"], ["books", "book"], ["gyms", "gym"], ["sessions", "calendar"], ["activities", "activity"], ["api", "code"]];

export default function home({ signal }) {
  return session.account ? overview(signal) : welcome();
}

function welcome() {
  return h("div", {},
    h("section", { class: "hero" },
      h("h1", { tabIndex: -1 }, words.home.hello), h("p", {}, words.home.about),
      h("div", { class: "actions" }, link("register", { class: `button ${isDemo ? "" : "main"}` }, words.home.register), link("login", { class: "button" }, words.login.button))),
    walk() ?? h("ul", { class: "tour" }, TOUR.map(tourCard)));
}

function tourCard([path, drawing]) {
  const { name, text } = words.home.tour[path];
  return h("li", {}, link(path, { class: "card tour-card" }, icon(drawing), h("h2", {}, name), h("p", {}, text)));
}

function overview(signal) {
  const cards = h("div", { class: "cards" });
  const load = () => show(cards, async () => {
    const [groups, chats, loans, sessions, news] = await Promise.all([
      tandem.call("tandem.identity.v1.Groups/ListGroups", { pageSize: 5 }, { signal }),
      tandem.call("tandem.chat.v1.Chat/ListConversations", { pageSize: 50 }, { signal }),
      tandem.call("tandem.lending.v1.Loans/ListMyRequests", { state: "LOAN_STATE_BORROWED", pageSize: 5 }, { signal }),
      tandem.call("tandem.matching.v1.Sessions/ListMySessions", { pageSize: 3 }, { signal }),
      tandem.call("tandem.notification.v1.Notifications/ListNotifications", { pageSize: 4 }, { signal }),
    ]);
    const unread = new Map((chats.conversations ?? []).map((one) => [one.conversationId, one.unreadCount ?? 0]));
    return [
      missingCard(),
      card("groups", words.home.groups, (groups.groups ?? []).map((group) => link(`groups/${group.groupId}`, { class: "row" }, said(group.name), unread.get(group.groupId) > 0 && h("span", { class: "count" }, String(unread.get(group.groupId))))), words.home.noGroups),
      card("sessions", words.home.sessions, (sessions.sessions ?? []).map((one) => link(`sessions/${one.sessionId}`, { class: "row" }, said(one.gym?.name), h("span", { class: "dim" }, figures.slot(one.startTime, one.endTime)))), words.home.noSessions),
      card("books?tab=borrowed", words.home.loans, (loans.loans ?? []).map((loan) => link(`loans/${loan.loanId}`, { class: "row" }, said(loan.title), loan.dueDate && h("span", { class: loan.overdue ? "bad" : "dim" }, words.loans.due(figures.date(loan.dueDate))))), words.home.noLoans),
      card("notifications", words.home.news, (news.notifications ?? []).map((one) => h("p", { class: "row" }, said(one.title), h("span", { class: "dim" }, figures.ago(one.createTime)))), words.home.noNews),
    ];
  });
  load();
  inbox.addEventListener("new", load, { signal });
  addEventListener("tandem:found", load, { signal });
  return h("div", {}, h("h1", { tabIndex: -1 }, words.home.greeting, " ", said(session.account.username)), cards,
    walk() ?? [h("h2", {}, words.home.tourTitle), h("ul", { class: "tour" }, TOUR.map(tourCard))]);
}

function missingCard() {
  if (session.profile?.hasGymProfile) return null;
  return h("section", { class: "card hint" }, h("h2", {}, words.home.noProfile), h("p", {}, words.home.profileHelp), link("profile", { class: "button main" }, words.home.makeProfile));
}

function card(path, name, rows, empty) {
  const body = rows.length > 0 ? h("div", { class: "rows" }, rows) : h("p", { class: "dim" }, empty);
  return fill(h("section", { class: "card" }), h("h2", {}, link(path, {}, name)), body);
}
