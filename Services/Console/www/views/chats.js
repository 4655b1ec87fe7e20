import { h, icon, link, said } from "../dom.js";
import { TandemChat } from "../parts/chat.js";
import { list } from "../parts/list.js";
import { go } from "../router.js";
import { tandem } from "../session.js";
import { figures, words } from "../words.js";

const CHAT = "tandem.chat.v1.Chat";

export const title = () => words.nav.chats;

export default function chats({ parts, query, signal }) {
  return parts[1] ? one(parts[1], query, signal) : overview(signal);
}

function overview(signal) {
  return h("div", {}, h("h1", { tabIndex: -1 }, words.nav.chats), list(
    async (pageToken) => {
      const answer = await tandem.call(`${CHAT}/ListConversations`, { pageToken }, { signal });
      return { items: answer.conversations, next: answer.nextPageToken };
    },
    (one) => link(one.kind === "CONVERSATION_KIND_GROUP" ? `groups/${one.conversationId}` : `chats/${one.conversationId}`, { class: "item" }, icon("chat"),
      h("div", {}, said(one.name || words.chat.direct, "h2"), one.lastMessage && said((one.lastMessage.text || (one.lastMessage.pictureId ? words.chat.onePicture : "")).slice(0, 120), "p", { class: "dim" })),
      one.unreadCount > 0 ? h("span", { class: "count" }, String(one.unreadCount)) : one.lastMessage && h("span", { class: "dim small" }, figures.ago(one.lastMessage.createTime))),
    words.chat.noChats));
}

async function one(conversationId, query, signal) {
  const conversation = await tandem.call(`${CHAT}/GetConversation`, { conversationId }, { signal });
  if (conversation.kind === "CONVERSATION_KIND_GROUP") return go(`groups/${conversationId}`, { replace: true });
  const names = new Map(conversation.otherUserId ? [[conversation.otherUserId, query.get("with") ?? words.chat.someone]] : []);
  return h("div", { class: "narrow" }, h("h1", { tabIndex: -1 }, words.chat.with, " ", said(query.get("with") ?? words.chat.someone)), Object.assign(new TandemChat(), { conversationId, names, signal }));
}
