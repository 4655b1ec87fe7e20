import { pause } from "../api.js";
import { fill, h, icon, said } from "../dom.js";
import { session, tandem } from "../session.js";
import { complaint, figures, words } from "../words.js";
import { drafts } from "./form.js";
import { tellError } from "./notice.js";

const CHAT = "tandem.chat.v1.Chat";
/** Messages of a page. */
const PAGE = 50;
/** Milliseconds between signs of life of a client that has nothing to say. */
const ALIVE = 20_000;
/** Looks for a conversation that is new, and milliseconds between them. */
const [MAX_LOOKS, LOOK] = [6, 700];
const TYPING_SHOWN = 5_000;
const MAX_TEXT = 4_000;

const number = (value) => Number(value ?? 0);

/**
 * A conversation: opens at the first unread message, shows what is sent at once and sends it until it is stored, fills gaps by the messages'
 * numbers. What is not sent yet stays in the tab. Set `conversationId`, `names` (of users by id) and `signal`, and put it in the page.
 */
export class TandemChat extends HTMLElement {
  names = new Map();
  #messages = new Map();
  #rows = new Map();
  #waiting = [];
  #position;
  #members = new Map();
  #typing = new Map();
  #readSequence = 0;
  #isOldest = false;

  connectedCallback() {
    if (this.list) return;
    this.list = h("ol", { class: "messages", tabIndex: 0, "aria-label": words.chat.messages, on: { scroll: () => this.#scrolled() } });
    this.state = h("span", { class: "live-state waiting" }, words.connecting);
    this.typing = h("p", { class: "typing", "aria-live": "polite" });
    this.input = h("textarea", { rows: 1, dir: "auto", "aria-label": words.chat.write, placeholder: words.chat.write, maxLength: MAX_TEXT,
      on: { keydown: (event) => this.#key(event), input: () => this.#written() } });
    this.input.value = drafts.read(this.#key_("text")) ?? "";
    this.#waiting = drafts.read(this.#key_("waiting")) ?? [];
    this.picture = drafts.read(this.#key_("picture")) ?? undefined;
    this.chosen = h("div", { class: "to-send" });
    const composer = h("form", { class: "composer", on: { submit: (event) => this.#submit(event) } }, this.#chooser(), this.input, h("button", { type: "submit", class: "main" }, words.chat.send));
    this.jump = h("button", { type: "button", class: "jump", hidden: true, on: { click: () => this.#toEnd() } }, words.chat.newest);
    this.append(h("div", { class: "chat-head" }, h("h2", {}, words.chat.title), this.state), this.list, this.jump, this.typing, this.chosen, composer);
    this.#showChosen();
    this.#run().catch((error) => this.#fail(error));
  }

  #key_(name) {
    return `chat.${this.conversationId}.${name}`;
  }

  #fail(error) {
    if (this.signal?.aborted) return;
    if (!error.code) console.error(error);
    this.state.textContent = complaint(error);
    this.state.className = "live-state waiting";
  }

  async #run() {
    const conversation = await this.#conversation();
    this.#readSequence = number(conversation.readSequence);
    this.firstUnread = conversation.unreadCount > 0 ? this.#readSequence + 1 : undefined;
    await this.#loadFirst(conversation);
    const timer = setInterval(() => this.socket?.send({}), ALIVE);
    this.signal?.addEventListener("abort", () => clearInterval(timer));
    await tandem.live(`${CHAT}/Connect`, (socket) => this.#open(socket), (event) => this.#receive(event), {
      signal: this.signal,
      state: (state) => {
        this.state.className = `live-state ${state}`;
        this.state.textContent = state === "live" ? words.live : words.reconnecting;
      },
    });
  }

  /** A group that is new is known to the chat a moment later. */
  async #conversation() {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await tandem.call(`${CHAT}/GetConversation`, { conversationId: this.conversationId }, { signal: this.signal });
      } catch (error) {
        if (error.reason !== "CONVERSATION_NOT_FOUND" || attempt === MAX_LOOKS) throw error;
        await pause(LOOK, this.signal);
      }
    }
  }

  /** Begins at the first message that is not read, with some before it; else at the end. */
  async #loadFirst(conversation) {
    const request = { conversationId: this.conversationId, pageSize: PAGE };
    const before = await tandem.call(`${CHAT}/ListMessages`, this.firstUnread ? { ...request, before: this.firstUnread } : request, { signal: this.signal });
    this.#isOldest = !before.hasMore;
    for (const message of before.messages ?? []) this.#put(message);
    if (this.firstUnread) {
      for (let after = this.firstUnread - 1, more = true; more; ) {
        const page = await tandem.call(`${CHAT}/ListMessages`, { ...request, after, pageSize: 200 }, { signal: this.signal });
        for (const message of page.messages ?? []) this.#put(message);
        after = number(page.messages?.at(-1)?.sequence ?? after);
        more = Boolean(page.hasMore);
      }
    }
    this.#position = { sequence: this.#last(), revision: "0" };
    this.#showWaiting();
    this.#mark();
    const line = this.list.querySelector(".unread-line");
    if (line) this.list.scrollTop = line.offsetTop - this.list.offsetTop - 40;
    else this.#toEnd();
    if ((conversation.lastSequence ?? 0) === 0 && this.#messages.size === 0) this.#empty();
  }

  #empty() {
    if (this.list.children.length === 0) this.list.append(h("li", { class: "nothing" }, words.chat.none));
  }

  #last() {
    return Math.max(0, ...this.#messages.keys());
  }

  #open(socket) {
    this.socket = socket;
    socket.send({ tag: "open", open: { conversationId: this.conversationId, after: { ...this.#position, sequence: String(this.#position.sequence) } } });
  }

  #receive(event) {
    if (event.opened) {
      this.#members = new Map((event.opened.members ?? []).map((member) => [member.userId, member]));
      if (!this.#position.epoch) this.#position = { ...this.#position, epoch: event.opened.position?.epoch };
      for (const one of this.#waiting) this.#send(one);
      this.#showPresence();
      if (this.list.scrollHeight <= this.list.clientHeight + 4) this.#read();
    } else if (event.message) {
      const wasAtEnd = this.#isAtEnd();
      const message = event.message.message;
      this.#position = event.message.position ?? this.#position;
      const isNew = !this.#messages.has(number(message.sequence));
      this.#put(message);
      this.#typing.delete(message.senderId);
      this.#showTyping();
      if (isNew && (wasAtEnd || message.senderId === session.account?.userId)) this.#toEnd();
      else if (isNew) this.jump.hidden = false;
    } else if (event.sent) {
      this.#stored(event.sent);
    } else if (event.refusal) {
      this.#refused(event.refusal);
    } else if (event.presence) {
      this.#members.set(event.presence.userId, { ...this.#members.get(event.presence.userId), online: event.presence.online });
      this.#showPresence();
    } else if (event.typingUserId) {
      this.#typing.set(event.typingUserId, Date.now() + TYPING_SHOWN);
      this.#showTyping();
      setTimeout(() => this.#showTyping(), TYPING_SHOWN + 50);
    } else if (event.readMark) {
      this.#members.set(event.readMark.userId, { ...this.#members.get(event.readMark.userId), readSequence: event.readMark.sequence });
      this.#showRead();
    } else if (event.closed) {
      this.state.textContent = words.chat.closed;
      this.input.disabled = true;
    }
  }

  // Sending

  #key(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#submit(event);
  }

  #written() {
    drafts.keep(this.#key_("text"), this.input.value);
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight + 2}px`;
    if (Date.now() - (this.lastTyping ?? 0) < 2_000) return;
    this.lastTyping = Date.now();
    this.socket?.send({ typingConversationId: this.conversationId });
  }

  /** The picture is uploaded when it is chosen; the message names it. */
  #chooser() {
    const input = h("input", { type: "file", accept: "image/jpeg,image/png,image/webp", class: "unseen", "aria-label": words.chat.addPicture });
    const face = h("span", { class: "button", title: words.chat.addPicture }, icon("picture"));
    input.addEventListener("change", async () => {
      const [file] = input.files;
      if (!file) return;
      const progress = h("progress", { max: 1, value: 0, "aria-label": words.chat.addPicture });
      fill(this.chosen, progress);
      try {
        const address = await tandem.upload("POST", `/pictures/chat/${this.conversationId}`, file, { progress: (part) => (progress.value = part), signal: this.signal });
        this.#choose(address.split("/").at(-1));
      } catch (error) {
        if (!this.signal?.aborted) tellError(error);
        this.#showChosen();
      }
      input.value = "";
    });
    return h("label", { class: "chooser" }, input, face);
  }

  #choose(pictureId) {
    this.picture = pictureId;
    if (pictureId) drafts.keep(this.#key_("picture"), pictureId);
    else drafts.drop(this.#key_("picture"));
    this.#showChosen();
    this.input.focus();
  }

  #showChosen() {
    fill(this.chosen, this.picture && [h("img", { src: this.#address(this.picture, 64), alt: words.chat.chosen }),
      h("button", { type: "button", "aria-label": words.chat.dropPicture, class: "plain", on: { click: () => this.#choose(undefined) } }, icon("close"))]);
  }

  #address(pictureId, size) {
    return `/pictures/chat/${this.conversationId}/${pictureId}${size ? `?size=${size}` : ""}`;
  }

  /** Small beside the texts, and as it was sent behind the link. */
  #shown(pictureId, name) {
    return h("a", { class: "picture", href: this.#address(pictureId), target: "_blank", rel: "noopener" }, h("img", { src: this.#address(pictureId, 256), alt: words.chat.picture(name) }));
  }

  #submit(event) {
    event.preventDefault();
    const text = this.input.value;
    const pictureId = this.picture;
    if (!text.trim() && !pictureId) return;
    this.input.value = "";
    this.#written();
    if (pictureId) this.#choose(undefined);
    const one = { clientMessageId: crypto.randomUUID(), text: text.trim() ? text : "", ...(pictureId && { pictureId }) };
    this.#waiting.push(one);
    this.#keepWaiting();
    this.#showWaiting();
    this.#toEnd();
    this.#send(one);
  }

  /** With the same id as before, however often: it is stored once. */
  #send(one) {
    delete one.refusal;
    this.socket?.send({ tag: one.clientMessageId, send: { conversationId: this.conversationId, ...one } });
  }

  #stored({ clientMessageId, sequence, createTime }) {
    const one = this.#take(clientMessageId);
    if (one && !this.#messages.has(number(sequence))) {
      this.#put({ sequence, createTime, text: one.text, pictureId: one.pictureId, senderId: session.account?.userId, clientMessageId });
    }
  }

  #refused({ clientMessageId, description, reason }) {
    const one = this.#waiting.find((one) => one.clientMessageId === clientMessageId);
    if (!one) return;
    one.refusal = words.reasons[reason] ?? description;
    this.#showWaiting();
  }

  #take(clientMessageId) {
    const at = this.#waiting.findIndex((one) => one.clientMessageId === clientMessageId);
    if (at < 0) return undefined;
    const [one] = this.#waiting.splice(at, 1);
    this.#keepWaiting();
    this.#showWaiting();
    return one;
  }

  #keepWaiting() {
    if (this.#waiting.length > 0) drafts.keep(this.#key_("waiting"), this.#waiting);
    else drafts.drop(this.#key_("waiting"));
  }

  #showWaiting() {
    this.list.querySelector(".nothing")?.remove();
    for (const row of this.list.querySelectorAll(".pending, .failed")) row.remove();
    for (const one of this.#waiting) {
      const again = one.refusal && h("button", { type: "button", on: { click: () => { this.#send(one); this.#showWaiting(); } } }, words.again);
      const drop = one.refusal && h("button", { type: "button", on: { click: () => { this.input.value = one.text; this.#take(one.clientMessageId); if (one.pictureId) this.#choose(one.pictureId); } } }, words.chat.edit);
      this.list.append(h("li", { class: `message own ${one.refusal ? "failed" : "pending"}` }, one.text && said(one.text, "span"), one.pictureId && this.#shown(one.pictureId, session.account?.username), h("span", { class: "state" }, one.refusal ?? words.chat.waiting), again, drop));
    }
  }

  // Showing

  #put(message) {
    const sequence = number(message.sequence);
    this.#messages.set(sequence, message);
    if (message.clientMessageId) this.#take(message.clientMessageId);
    const row = this.#row(message);
    const old = this.#rows.get(sequence);
    this.#rows.set(sequence, row);
    if (old) return old.replaceWith(row);
    this.list.querySelector(".nothing")?.remove();
    const later = [...this.#rows.keys()].filter((one) => one > sequence);
    const next = later.length > 0 ? this.#rows.get(Math.min(...later)) : this.list.querySelector(".pending, .failed");
    if (next) next.before(row);
    else this.list.append(row);
  }

  #row(message) {
    const isOwn = message.senderId && message.senderId === session.account?.userId;
    const name = this.names.get(message.senderId) ?? words.chat.someone;
    const time = h("time", { dateTime: message.createTime, title: figures.full(message.createTime) }, figures.time(message.createTime));
    if (message.notice) return h("li", { class: "message notice-line" }, said(name), " ", words.chat.notices[message.notice] ?? message.text);
    const text = message.deleteTime ? h("em", { class: "dim" }, words.chat.deleted) : message.folded ? h("em", { class: "dim" }, words.chat.folded) : message.text && said(message.text, "span");
    const reactions = (message.reactions ?? []).map((one) => one.emoji).join(" ");
    return h("li", { class: `message ${isOwn ? "own" : ""}` }, !isOwn && said(name, "span", { class: "sender" }), text,
      message.pictureId && this.#shown(message.pictureId, isOwn ? session.account.username : name),
      h("span", { class: "state" }, time, message.editTime && ` · ${words.chat.edited}`, reactions && ` · ${reactions}`, isOwn && h("span", { class: "seen" })));
  }

  /** The names of users are known now, or changed. */
  named() {
    for (const [sequence, message] of this.#messages) {
      const row = this.#row(message);
      this.#rows.get(sequence).replaceWith(row);
      this.#rows.set(sequence, row);
    }
    this.#showPresence();
  }

  #mark() {
    const first = this.firstUnread && [...this.#rows.entries()].sort(([a], [b]) => a - b).find(([sequence]) => sequence >= this.firstUnread && this.#messages.get(sequence).senderId !== session.account?.userId);
    if (first) first[1].before(h("li", { class: "unread-line" }, words.chat.unread));
  }

  #showPresence() {
    const online = [...this.#members].filter(([id, member]) => member.online && id !== session.account?.userId).map(([id]) => this.names.get(id)).filter(Boolean);
    this.state.title = words.chat.online(online.join(", "));
    if (this.state.classList.contains("live")) this.state.textContent = online.length > 0 ? words.chat.onlineCount(online.length) : words.live;
    this.#showRead();
  }

  #showRead() {
    const marks = [...this.#members].filter(([id]) => id !== session.account?.userId).map(([, member]) => number(member.readSequence));
    for (const seen of this.list.querySelectorAll(".seen")) seen.textContent = "";
    const last = Math.max(0, ...marks);
    const own = [...this.#messages.values()].filter((one) => one.senderId === session.account?.userId && number(one.sequence) <= last).at(-1);
    const place = own && this.#rows.get(number(own.sequence))?.querySelector(".seen");
    if (place) place.textContent = ` · ${words.chat.seen}`;
  }

  #showTyping() {
    const now = Date.now();
    const names = [...this.#typing].filter(([, until]) => until > now).map(([id]) => this.names.get(id) ?? words.chat.someone);
    fill(this.typing, names.length > 0 && [said(names.join(", ")), " ", words.chat.typing]);
  }

  // Scrolling and reading

  #isAtEnd() {
    return this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
  }

  #toEnd() {
    this.list.scrollTop = this.list.scrollHeight;
    this.jump.hidden = true;
    this.#read();
  }

  #scrolled() {
    if (this.#isAtEnd()) {
      this.jump.hidden = true;
      this.#read();
    }
    if (this.list.scrollTop < 60 && !this.#isOldest && !this.isLoading) this.#older();
  }

  /** Only what has been on the screen is read. */
  #read() {
    const last = this.#last();
    if (last <= this.#readSequence || document.hidden) return;
    this.#readSequence = last;
    this.socket?.send({ markRead: { conversationId: this.conversationId, sequence: String(last) } }) || (this.#readSequence = 0);
  }

  async #older() {
    this.isLoading = true;
    try {
      const before = Math.min(...this.#messages.keys());
      const page = await tandem.call(`${CHAT}/ListMessages`, { conversationId: this.conversationId, before, pageSize: PAGE }, { signal: this.signal });
      this.#isOldest = !page.hasMore;
      const height = this.list.scrollHeight;
      for (const message of [...(page.messages ?? [])].reverse()) this.#put(message);
      this.list.scrollTop += this.list.scrollHeight - height;
    } catch (error) {
      if (!error.code && !this.signal?.aborted) console.error(error);
    } finally {
      this.isLoading = false;
    }
  }
}

customElements.define("tandem-chat", TandemChat);
