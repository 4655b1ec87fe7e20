import { h, said } from "../dom.js";
import { asked } from "../parts/dialog.js";
import { confirmed } from "../parts/confirm.js";
import { form } from "../parts/form.js";
import { list } from "../parts/list.js";
import { action, show, tell } from "../parts/notice.js";
import { addPasskey, canUsePasskeys } from "../parts/passkeys.js";
import { takeTicket, ticketOf, toLink } from "../parts/providers.js";
import { session, tandem } from "../session.js";
import { figures, words } from "../words.js";

const [ACCOUNTS, PASSKEYS, PROVIDERS] = ["tandem.identity.v1.Accounts", "tandem.identity.v1.Passkeys", "tandem.identity.v1.FederatedLogins"];

export const title = () => words.nav.account;

export default function account({ signal }) {
  return h("div", { class: "narrow" }, h("h1", { tabIndex: -1 }, words.nav.account), h("p", {}, said(session.account.email)), sessions(signal), passkeys(signal), identities(signal), password());
}

function sessions(signal) {
  const all = list(async (pageToken) => {
    const answer = await tandem.call(`${ACCOUNTS}/ListSessions`, { pageToken }, { signal });
    return { items: answer.sessions, next: answer.nextPageToken };
  }, (one) => h("article", { class: "item" }, h("div", {}, said(one.deviceLabel || words.account.unnamed, "h3"), h("p", { class: "dim small" }, words.account.used(figures.ago(one.lastUseTime)), one.address ? ` · ${one.address}` : "")),
    one.current ? h("span", { class: "tag good" }, words.account.here) : action(words.account.end, async () => { await tandem.act(`${ACCOUNTS}/RevokeSession`, { sessionId: one.sessionId }); all.reload(); })), "");
  const others = action(words.account.endOthers, async () => {
    await tandem.act(`${ACCOUNTS}/LogoutEverywhere`, { scope: "LOGOUT_SCOPE_OTHER_SESSIONS" });
    all.reload();
  });
  return h("section", {}, h("div", { class: "head" }, h("h2", {}, words.account.sessions), others), all);
}

function passkeys(signal) {
  if (!canUsePasskeys()) return null;
  const all = list(async () => ({ items: (await tandem.call(`${PASSKEYS}/ListPasskeys`, {}, { signal })).passkeys }),
    (one) => h("article", { class: "item" }, h("div", {}, said(one.name, "h3"), h("p", { class: "dim small" }, figures.day(one.createTime))), action(words.remove, async () => {
      if (!(await asked(words.account.removePasskey, words.account.removePasskeyText, words.remove))) return;
      await tandem.act(`${PASSKEYS}/DeletePasskey`, { id: one.id });
      all.reload();
    })), words.account.noPasskeys);
  const add = form({
    fields: [{ name: "name", label: words.account.passkeyName, required: true, value: navigator.platform }, session.account.hasPassword && { name: "password", label: words.account.confirm, type: "password", autocomplete: "current-password" }],
    button: words.account.addPasskey,
    act: async ({ name, password }) => {
      if (password) await tandem.act(`${ACCOUNTS}/ConfirmPassword`, { password });
      await addPasskey(name);
      tell(words.account.passkeyAdded);
      all.reload();
    },
  });
  return h("section", { class: "card" }, h("h2", {}, words.account.passkeys), h("p", { class: "dim" }, words.account.passkeysHelp), all, add);
}

/** Logins of providers; nothing where there are none. */
function identities(signal) {
  const place = h("div", { class: "identities" });
  show(place, async () => {
    const [{ providers = [] }, { identities: linked = [] }] = await Promise.all([tandem.call(`${PROVIDERS}/ListProviders`, {}, { signal }), tandem.call(`${PROVIDERS}/ListLinkedIdentities`, {}, { signal })]);
    if (providers.length + linked.length === 0) return [];
    const name = (one) => providers.find(({ providerId }) => providerId === one.providerId)?.displayName ?? one.issuer;
    const rows = linked.map((one) => h("li", { class: "item" }, h("div", {}, said(name(one), "h3"), h("p", { class: "dim small" }, said(one.email), " · ", figures.day(one.createTime))), action(words.account.unlink, async () => {
      if (!(await asked(words.account.unlinkTitle, words.account.unlinkText, words.account.unlink))) return;
      if (await confirmed(() => tandem.act(`${PROVIDERS}/UnlinkIdentity`, { id: one.id }))) place.replaceWith(identities(signal));
    })));
    return h("section", { class: "card" }, h("h2", {}, words.account.providers), h("p", { class: "dim" }, words.account.providersHelp),
      ticketOf() && waitingIdentity(() => place.replaceWith(identities(signal))), rows.length > 0 && h("ul", { class: "list" }, rows),
      h("div", { class: "actions" }, providers.map((one) => action(words.account.link(one.displayName), () => confirmed(() => toLink(one.providerId))))));
  });
  return place;
}

/** The identity by which a login was tried before. */
function waitingIdentity(again) {
  const { ticket, handle, email } = ticketOf();
  return action(words.account.linkNow(email), async () => {
    if (!(await confirmed(() => tandem.act(`${PROVIDERS}/LinkIdentity`, { ticket, handle })))) return;
    takeTicket();
    again();
  }, { kind: "main" });
}

function password() {
  return h("section", { class: "card" }, h("h2", {}, words.account.password), form({
    fields: [
      session.account.hasPassword && { name: "oldPassword", label: words.account.old, type: "password", autocomplete: "current-password" },
      { name: "newPassword", label: words.account.new, type: "password", autocomplete: "new-password", required: true, help: words.register.passwordHelp },
    ],
    button: words.account.change,
    act: async (values) => {
      await tandem.act(`${ACCOUNTS}/ChangePassword`, values);
      tell(words.account.changed);
    },
  }));
}
