import { h, link, said } from "../dom.js";
import { list } from "../parts/list.js";
import { action, tell } from "../parts/notice.js";
import { avatar } from "../parts/person.js";
import { search } from "../parts/tabs.js";
import { go } from "../router.js";
import { session, tandem } from "../session.js";
import { figures, label, words } from "../words.js";

const PROFILES = "tandem.identity.v1.Profiles";

export const title = () => words.nav.people;

export default function people({ parts, query, signal }) {
  if (parts[1]) return one(parts[1], signal);
  const prefix = query.get("q") ?? "";
  return h("div", { class: "narrow" }, h("h1", { tabIndex: -1 }, words.nav.people), search(words.people.search, prefix, (text) => go(`people?q=${encodeURIComponent(text)}`)),
    prefix ? list(async (pageToken) => {
      const answer = await tandem.call(`${PROFILES}/SearchProfiles`, { prefix, pageToken }, { signal });
      return { items: answer.profiles, next: answer.nextPageToken };
    }, (profile) => link(`people/${encodeURIComponent(profile.username)}`, { class: "item" }, avatar(profile.username, profile.pictureEtag), h("div", {}, said(profile.username, "h2"), h("p", { class: "dim" }, profile.level && label("LEVEL", profile.level)))), words.people.none) : h("p", { class: "nothing" }, words.people.help));
}

async function one(username, signal) {
  const profile = await tandem.call(`${PROFILES}/GetProfile`, { username }, { signal });
  const rating = await tandem.call("tandem.matching.v1.Sessions/GetMatchingProfile", { userId: profile.userId }, { signal }).catch(() => ({}));
  const big = avatar(profile.username, profile.pictureEtag, 256);
  big.classList.add("big");
  const facts = [[words.profile.level, profile.level && label("LEVEL", profile.level)], [words.people.age, profile.age && String(profile.age)], [words.people.rating, rating.ratingCount > 0 && `${figures.number(rating.meanRating, 1)} ★ (${rating.ratingCount})`], [words.profile.interests, (profile.interests ?? []).join(", ")], [words.register.email, profile.contact?.email], [words.profile.phone, profile.contact?.phone]];
  const isOwn = profile.userId === session.account.userId;
  const write = !isOwn && action(words.people.write, async () => {
    const { conversationId } = await tandem.act("tandem.chat.v1.Chat/GetOrCreateDirectConversation", { userId: profile.userId });
    go(`chats/${conversationId}?with=${encodeURIComponent(profile.username)}`);
  }, { kind: "main" });
  const block = !isOwn && action(words.people.block, async () => {
    await tandem.act("tandem.identity.v1.Safety/BlockUser", { userId: profile.userId });
    tell(words.people.blocked);
    go("people");
  });
  return h("section", { class: "narrow card" }, h("div", { class: "head" }, said(profile.username, "h1", { tabIndex: -1 }), big), h("dl", { class: "facts" }, facts.filter(([, value]) => value).map(([name, value]) => h("div", {}, h("dt", {}, name), said(value, "dd")))),
    (profile.badges ?? []).length > 0 && h("p", {}, profile.badges.map((badge) => [h("span", { class: "tag main", title: badge.description }, badge.title), " "])), h("div", { class: "actions" }, write, block));
}
