import { fill, h, icon, link, said } from "../dom.js";
import { asked, dialog } from "../parts/dialog.js";
import { inbox } from "../parts/inbox.js";
import { form } from "../parts/form.js";
import { list } from "../parts/list.js";
import { action, show, tell } from "../parts/notice.js";
import { person } from "../parts/person.js";
import { search, tabs } from "../parts/tabs.js";
import { go, keep } from "../router.js";
import { session, tandem } from "../session.js";
import { figures, words } from "../words.js";
import { acceptForm, loanRow } from "./loans.js";

const [BOOKS, LOANS] = ["tandem.catalog.v1.Books", "tandem.lending.v1.Loans"];
const TONES = { BOOK_STATUS_AVAILABLE: "good", BOOK_STATUS_REQUESTED: "main", BOOK_STATUS_ACCEPTED: "warn", BOOK_STATUS_BORROWED: "warn" };

export const title = () => words.nav.books;

export default function books({ parts, query, signal }) {
  if (parts[1] === "add") return add(query);
  if (parts[1]) return book(parts[1], signal);
  const tab = query.get("tab") ?? "find";
  const show = { find: () => find(query.get("q"), signal), you: () => forYou(signal), mine: () => mine(signal), requests: () => requests(signal), borrowed: () => borrowed(signal) };
  return h("div", {},
    h("div", { class: "head" }, h("h1", { tabIndex: -1 }, words.nav.books), link("books/add", { class: "button main" }, words.books.add)),
    tabs("books", [["find", words.books.find], ["you", words.books.recommended], ["mine", words.books.mine], ["requests", words.books.requests], ["borrowed", words.books.borrowed]], tab),
    (show[tab] ?? show.find)());
}

export function cover(book, isBig = false) {
  const photo = book.photoIds?.[0];
  return h("span", { class: `cover ${isBig ? "big" : ""}`, "aria-hidden": "true" }, photo
    ? h("img", { src: `/pictures/book/${book.bookId}/${photo}?size=${isBig ? 256 : 64}`, alt: "", loading: "lazy" })
    : h("span", { dir: "auto" }, isBig ? book.title.slice(0, 40) : icon("book")));
}

function status(book) {
  return h("span", { class: `tag ${book.onHold ? "warn" : TONES[book.status] ?? ""}` }, book.onHold ? words.books.onHold : words.books.status[book.status] ?? "");
}

function bookRow(book) {
  return link(`books/${book.bookId}`, { class: "item" }, cover(book),
    h("div", {}, said(book.title, "h2"), said((book.authors ?? []).join(", "), "p", { class: "dim" }), h("p", { class: "dim small" }, words.books.of, " ", said(book.ownerUsername || "—"))), status(book));
}

function pages(load, empty, signal) {
  return list(async (pageToken) => {
    const answer = await load(pageToken);
    return { items: answer.books, next: answer.nextPageToken, notice: answer.notice };
  }, bookRow, empty);
}

function find(query, signal) {
  const ask = search(words.books.search, query, (text) => go(text ? `books?q=${encodeURIComponent(text)}` : "books"));
  if (query) return h("div", {}, ask, pages((pageToken) => tandem.call(`${BOOKS}/SearchBooks`, { query, pageToken }, { signal }), words.books.nothingFound(query), signal));
  return h("div", {}, ask, h("p", { class: "nothing" }, words.books.searchHelp));
}

/** What a person may like, of what they have borrowed and rated: for someone new there is nothing to go by. */
function forYou(signal) {
  const place = h("div", {});
  show(place, async () => {
    try {
      const { recommendations = [] } = await tandem.call(`${BOOKS}/RecommendBooks`, {}, { signal });
      if (recommendations.length === 0) return h("p", { class: "nothing" }, words.books.noneRecommended);
      return h("ul", { class: "list" }, recommendations.map(({ book, because, becauseRated }) => h("li", {}, bookRow(book), (because ?? becauseRated) && h("p", { class: "dim small" }, because ? words.books.becauseBorrowed : words.books.becauseLiked, " ", said((because ?? becauseRated).title)))));
    } catch (error) {
      if (error.reason !== "NO_HISTORY") throw error;
      return h("p", { class: "nothing" }, words.books.noneRecommended);
    }
  });
  return place;
}

function mine(signal) {
  return pages((pageToken) => tandem.call(`${BOOKS}/ListMyBooks`, { pageToken }, { signal }), words.books.noneOwn, signal);
}

function requests(signal) {
  return h("div", {}, list(async (pageToken) => {
    const answer = await tandem.call(`${LOANS}/ListRequestedBooks`, { pageToken }, { signal });
    return { items: answer.books, next: answer.nextPageToken };
  }, (book) => link(`books/${book.bookId}`, { class: "item" }, icon("book"), h("div", {}, said(book.title, "h2"), h("p", { class: "dim" }, book.isbn)), h("span", { class: "tag main" }, words.books.pending(book.pending ?? 0))), words.books.noRequests),
  h("h2", {}, words.books.lent), list(async (pageToken) => {
    const answer = await tandem.call(`${LOANS}/ListLentBooks`, { pageToken }, { signal });
    return { items: answer.loans, next: answer.nextPageToken };
  }, loanRow, words.books.noneLent));
}

function borrowed(signal) {
  return list(async (pageToken) => {
    const answer = await tandem.call(`${LOANS}/ListMyRequests`, { pageToken }, { signal });
    return { items: answer.loans, next: answer.nextPageToken };
  }, loanRow, words.books.noneBorrowed);
}

// Adding a book

/** The number is in the address, so that what belongs to it is found again after a reload. */
function add(query) {
  const details = h("div", {});
  const find = async (isbn) => {
    let edition = { isbn };
    try {
      edition = await tandem.call(`${BOOKS}/LookUpIsbn`, { isbn });
    } catch (error) {
      if (error.code !== "not_found") throw error;
      tell(words.books.noRecord);
    }
    keep({ isbn });
    fill(details, bookForm(edition));
  };
  const isbn = query.get("isbn") ?? "";
  const lookUp = form({
    fields: [{ name: "isbn", label: words.books.isbn, required: true, inputMode: "numeric", help: words.books.isbnHelp, value: isbn }],
    draft: isbn ? "" : "book.isbn", button: words.books.lookUp,
    act: async ({ isbn }) => {
      await find(isbn.trim());
      details.querySelector("input").focus();
    },
  });
  if (isbn) find(isbn).catch((error) => lookUp.complain(error));
  return h("section", { class: "narrow card" }, h("h1", { tabIndex: -1 }, words.books.add), lookUp, details);
}

function bookForm(edition) {
  let mayDiffer = false;
  return form({
    draft: `book.${edition.isbn}`,
    fields: [
      { name: "title", label: words.books.title, required: true, value: edition.title, path: "book.title" },
      { name: "authors", label: words.books.authors, required: true, value: (edition.authors ?? []).join("; "), help: words.books.authorsHelp, path: "book.authors" },
      { name: "year", label: words.books.year, type: "number", value: edition.year || "", path: "book.year" },
      { name: "language", label: words.books.language, value: edition.language, path: "book.language" },
      { name: "description", label: words.books.description, type: "textarea", help: words.books.descriptionHelp, path: "book.description" },
    ],
    button: words.books.addButton,
    act: async ({ authors, year, ...book }) => {
      const names = authors.split(/;/).map((name) => name.trim()).filter(Boolean);
      try {
        const made = await tandem.act(`${BOOKS}/AddBook`, { book: { ...book, isbn: edition.isbn, authors: names, year: year ?? 0 }, titleConfirmed: mayDiffer });
        go(`books/${made.bookId}`, { replace: true });
      } catch (error) {
        // Sent again as it is, the title is meant so.
        mayDiffer = error.reason === "TITLE_MISMATCH" || /TITLE/.test(error.reason);
        throw error;
      }
    },
  });
}

// One book

async function book(bookId, signal) {
  const place = h("div", {});
  const reload = async () => fill(place, await content());
  const content = async () => {
    const book = await tandem.call(`${BOOKS}/GetBook`, { bookId }, { signal });
    const isOwn = book.ownerId === session.account.userId;
    const facts = [[words.books.of, person(book.ownerUsername)], [words.books.isbn, book.isbn], [words.books.year, book.year && String(book.year)], [words.books.language, book.language], [words.books.borrower, book.borrowerUsername && person(book.borrowerUsername)]];
    return [
      h("section", { class: "item" }, cover(book, true), h("div", {}, said(book.title, "h1", { tabIndex: -1 }), said((book.authors ?? []).join(", "), "p"), status(book), said(book.description, "p"),
        h("dl", { class: "facts" }, facts.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
        isOwn ? ownActions(book, reload) : await borrowActions(book, reload, signal))),
      isOwn && h("section", {}, h("h2", {}, words.books.requests), requestList(book, reload, signal)),
      comments(book, isOwn, signal),
    ];
  };
  await reload();
  // Requests come in while the book is looked at.
  const kinds = ["NOTIFICATION_KIND_BOOK_REQUESTED", "NOTIFICATION_KIND_REQUEST_ACCEPTED", "NOTIFICATION_KIND_REQUEST_DECLINED"];
  const again = ({ detail }) => kinds.includes(detail.kind) && !place.querySelector("form")?.contains(document.activeElement) && reload().catch(() => {});
  inbox.addEventListener("new", again, { signal });
  return place;
}

function ownActions(book, reload) {
  const { bookId, etag } = book;
  const upload = h("input", { type: "file", accept: "image/jpeg,image/png,image/webp", "aria-label": words.books.photo });
  const progress = h("progress", { hidden: true, max: 1, value: 0, "aria-label": words.books.photo });
  upload.addEventListener("change", async () => {
    if (!upload.files[0]) return;
    progress.hidden = false;
    try {
      await tandem.upload("POST", `/pictures/book/${bookId}`, upload.files[0], { progress: (part) => (progress.value = part) });
      await reload();
    } catch (error) {
      progress.hidden = true;
      tell(words.reasons[error.reason] ?? error.message, "bad");
    }
  });
  const hold = book.onHold
    ? action(words.books.release, async () => { await tandem.act(`${LOANS}/ReleaseBook`, { bookId }); await reload(); })
    : book.status === "BOOK_STATUS_AVAILABLE" || book.status === "BOOK_STATUS_REQUESTED" ? action(words.books.hold, async () => { await tandem.act(`${LOANS}/HoldBook`, { bookId }); await reload(); }) : null;
  const remove = action(words.books.remove, async () => {
    if (!(await asked(words.books.remove, words.books.removeText, words.books.remove))) return;
    await tandem.act(`${BOOKS}/DeleteBook`, { bookId, etag });
    go("books?tab=mine");
  }, { kind: "danger" });
  return h("div", {}, h("label", { class: "field" }, words.books.photo, upload), progress, h("div", { class: "actions" }, hold, action(words.books.share, () => shareBook(bookId)), remove));
}

async function shareBook(bookId) {
  const { token } = await tandem.act(`${BOOKS}/ShareBook`, { bookId });
  const address = `${location.origin}/share/book/${token}`;
  dialog(words.books.share, [h("p", {}, words.books.shareHelp), h("div", { class: "search" }, h("input", { value: address, readOnly: true, "aria-label": words.group.link }), action(words.copy, async () => { await navigator.clipboard.writeText(address); tell(words.copied); }))]);
}

async function borrowActions(book, reload, signal) {
  const { loans = [] } = await tandem.call(`${LOANS}/ListMyRequests`, { pageSize: 200 }, { signal });
  const open = loans.find((loan) => loan.bookId === book.bookId && ["LOAN_STATE_PENDING", "LOAN_STATE_ACCEPTED", "LOAN_STATE_BORROWED"].includes(loan.state));
  if (open) return link(`loans/${open.loanId}`, { class: "button main" }, words.books.toLoan);
  if (!["BOOK_STATUS_AVAILABLE", "BOOK_STATUS_REQUESTED"].includes(book.status)) return h("p", { class: "dim" }, words.books.away);
  return action(words.books.request, async () => {
    const loan = await tandem.act(`${LOANS}/RequestBook`, { bookId: book.bookId });
    tell(words.books.requested);
    go(`loans/${loan.loanId}`);
  }, { kind: "main" });
}

function requestList(book, reload, signal) {
  return list(async (pageToken) => {
    const answer = await tandem.call(`${LOANS}/ListRequests`, { bookId: book.bookId, pageToken }, { signal });
    return { items: answer.loans, next: answer.nextPageToken };
  }, (loan) => loan.state === "LOAN_STATE_PENDING"
    ? h("div", { class: "item" }, h("div", {}, person(loan.borrowerUsername), h("p", { class: "dim small" }, figures.ago(loan.requestTime))),
      h("div", { class: "actions" },
        h("button", { type: "button", class: "main", on: { click: () => acceptForm(loan, reload) } }, words.loans.accept),
        action(words.loans.decline, async () => { await tandem.act(`${LOANS}/DeclineRequest`, { loanId: loan.loanId }); await reload(); })))
    : loanRow(loan), words.books.noRequests);
}

function comments(book, isOwn, signal) {
  const { bookId } = book;
  const all = list(async (pageToken) => {
    const answer = await tandem.call(`${BOOKS}/ListComments`, { bookId, pageToken }, { signal });
    return { items: answer.comments, next: answer.nextPageToken };
  }, (comment) => h("article", { class: "item" }, h("div", {}, person(comment.authorUsername), " ", h("span", { class: "dim small" }, figures.ago(comment.createTime)), said(comment.text, "p")),
    (isOwn || comment.authorId === session.account.userId) && action(words.remove, async () => { await tandem.act(`${BOOKS}/DeleteComment`, { commentId: comment.commentId }); all.reload(); }, { kind: "plain" })), words.books.noComments);
  const write = form({
    draft: `comment.${bookId}`, fields: [{ name: "text", label: words.books.comment, type: "textarea", rows: 2, required: true, path: "comment.text" }], button: words.books.commentButton,
    act: async ({ text }, self) => {
      await tandem.act(`${BOOKS}/CreateComment`, { bookId, comment: { text } });
      self.set("text", "");
      all.reload();
    },
  });
  return h("section", {}, h("h2", {}, words.books.comments), all, write);
}
