import { fill, h, icon, link, said } from "../dom.js";
import { asked, dialog } from "../parts/dialog.js";
import { form } from "../parts/form.js";
import { makeMap, pin } from "../parts/map.js";
import { action, tell } from "../parts/notice.js";
import { person } from "../parts/person.js";
import { inbox } from "../parts/inbox.js";
import { session, tandem } from "../session.js";
import { figures, label, words } from "../words.js";

const LOANS = "tandem.lending.v1.Loans";
const TONES = { LOAN_STATE_PENDING: "main", LOAN_STATE_ACCEPTED: "warn", LOAN_STATE_BORROWED: "good", LOAN_STATE_LOST: "bad" };

export const title = () => words.loans.title;

const state = (loan) => h("span", { class: `tag ${loan.overdue ? "bad" : TONES[loan.state] ?? ""}` }, loan.overdue ? words.loans.overdue : label("LOAN_STATE", loan.state));

export function loanRow(loan) {
  const isOwner = loan.ownerId === session.account.userId;
  return link(`loans/${loan.loanId}`, { class: "item" }, icon("book"), h("div", {}, said(loan.title, "h2"),
    h("p", { class: "dim" }, isOwner ? words.loans.to : words.loans.from, " ", said((isOwner ? loan.borrowerUsername : loan.ownerUsername) || "—")),
    loan.dueDate && h("p", { class: loan.overdue ? "bad" : "dim" }, words.loans.due(figures.date(loan.dueDate)))), state(loan));
}

/** Asks for the day of return and the place of the handover. */
export function acceptForm(loan, done) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const inThreeWeeks = new Date(Date.now() + 21 * 86_400_000).toISOString().slice(0, 10);
  const opened = dialog(words.loans.accept, form({
    fields: [
      { name: "due", label: words.loans.dueDate, type: "date", value: inThreeWeeks, path: "due_date", help: words.loans.dueHelp },
      { name: "country", label: words.loans.country, placeholder: "SG", path: "pickup.address.country", help: words.loans.pickupHelp },
      { name: "city", label: words.loans.city, path: "pickup.address.city" },
      { name: "address", label: words.loans.address, path: "pickup.address.address" },
    ],
    button: words.loans.acceptButton,
    act: async ({ due, country, city, address }) => {
      const [year, month, day] = due.split("-").map(Number);
      const dueDate = due ? { year, month, day } : undefined;
      const pickup = country || city || address ? { address: { country, city, address } } : undefined;
      await tandem.act(`${LOANS}/AcceptRequest`, { loanId: loan.loanId, dueDate, timeZone: due ? zone : undefined, pickup });
      opened.close();
      await done();
    },
  }));
}

export default async function loan({ parts, signal }) {
  const loanId = parts[1];
  const place = h("div", { class: "narrow" });
  const reload = async () => fill(place, content(await tandem.call(`${LOANS}/GetLoan`, { loanId }, { signal }), reload, signal));
  const again = ({ detail }) => detail.subject?.includes(loanId) && reload().catch(() => {});
  inbox.addEventListener("new", again, { signal });
  await reload();
  return place;
}

function content(loan, reload, signal) {
  const isOwner = loan.ownerId === session.account.userId;
  const point = loan.pickup?.point ?? loan.pickup?.found?.point;
  const map = point && makeMap(words.loans.pickup);
  if (map) {
    map.mark("pickup", point, { element: pin("chosen") });
    map.fit([point]);
  }
  const address = loan.pickup?.address;
  const facts = [
    [isOwner ? words.loans.to : words.loans.from, person(isOwner ? loan.borrowerUsername : loan.ownerUsername)],
    [words.loans.requestTime, figures.full(loan.requestTime)], [words.loans.dueDate, loan.dueDate && figures.date(loan.dueDate)],
    [words.loans.pickup, address ? said([address.address, address.city, address.country].filter(Boolean).join(", ")) : loan.pickup?.nearby && said(loan.pickup.nearby.name)],
    [words.loans.recalled, loan.recallTime && figures.full(loan.recallTime)],
    [words.loans.handover, confirmed(loan.handover)], [words.loans.return, confirmed(loan.return)],
  ];
  return [
    h("section", { class: "card" }, said(loan.title, "h1", { tabIndex: -1 }), h("p", {}, state(loan), " ", link(`books/${loan.bookId}`, {}, words.loans.toBook)),
      h("dl", { class: "facts" }, facts.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))), map,
      steps(loan, isOwner, reload)),
    history(loan, signal),
  ];
}

function confirmed(confirmations) {
  const { ownerTime, borrowerTime } = confirmations ?? {};
  return ownerTime && borrowerTime ? words.loans.both : ownerTime ? words.loans.byOwner : borrowerTime ? words.loans.byBorrower : "";
}

/** What can be done next: only this is offered. */
function steps(loan, isOwner, reload) {
  const { loanId } = loan;
  const call = (method, request = {}) => async () => {
    await tandem.act(`${LOANS}/${method}`, { loanId, ...request });
    await reload();
  };
  const hasConfirmed = (confirmations) => Boolean(isOwner ? confirmations?.ownerTime : confirmations?.borrowerTime);
  const isbn = (method, text, done, withComment) => done
    ? h("p", { class: "dim" }, words.loans.waitsForOther)
    : form({
      fields: [{ name: "isbn", label: words.loans.isbn, required: true, inputMode: "numeric", help: words.loans.isbnHelp }, withComment && { name: "comment", label: words.books.comment, type: "textarea", rows: 2 }],
      button: text, act: async ({ isbn, comment }) => { await tandem.act(`${LOANS}/${method}`, { loanId, isbn, comment }); tell(words.loans.confirmed); await reload(); },
    });
  const cancel = action(words.loans.cancel, async () => (await asked(words.loans.cancel, words.loans.cancelText, words.loans.cancel)) && call("CancelLoan")(), { kind: "danger" });
  switch (loan.state) {
    case "LOAN_STATE_PENDING":
      return h("div", { class: "actions" }, isOwner
        ? [h("button", { type: "button", class: "main", on: { click: () => acceptForm(loan, reload) } }, words.loans.accept), action(words.loans.decline, call("DeclineRequest"))]
        : action(words.loans.withdraw, call("WithdrawRequest")));
    case "LOAN_STATE_ACCEPTED":
      return h("div", {}, h("h2", {}, words.loans.handover), isbn("ConfirmHandover", isOwner ? words.loans.handedOver : words.loans.received, hasConfirmed(loan.handover)), h("div", { class: "actions" }, cancel));
    case "LOAN_STATE_BORROWED":
      return h("div", {}, h("h2", {}, words.loans.return), isbn("ConfirmReturn", isOwner ? words.loans.gotBack : words.loans.gaveBack, hasConfirmed(loan.return), !isOwner),
        isOwner && !loan.recallTime && h("div", { class: "actions" }, action(words.loans.recall, call("RecallLoan"))));
    default:
      return null;
  }
}

function history(loan, signal) {
  const place = h("ol", { class: "list" });
  tandem.call(`${LOANS}/ListHistory`, { loanId: loan.loanId }, { signal }).then(({ entries = [] }) =>
    fill(place, entries.map((entry) => h("li", { class: "row" }, label("STEP", entry.step), " ", h("span", { class: "dim" }, figures.full(entry.time)))))).catch(() => {});
  return h("details", { class: "card" }, h("summary", {}, words.loans.history), place);
}
