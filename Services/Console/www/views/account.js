import { h, said } from "../dom.js";
import { asked } from "../parts/dialog.js";
import { form } from "../parts/form.js";
import { list } from "../parts/list.js";
import { action, tell } from "../parts/notice.js";
import { addPasskey, canUsePasskeys } from "../parts/passkeys.js";
import { session, tandem } from "../session.js";
import { figures, words } from "../words.js";

const [ACCOUNTS, PASSKEYS] = ["tandem.identity.v1.Accounts", "tandem.identity.v1.Passkeys"];

export const title = () => words.nav.account;

export default function account({ signal }) {
  return h("div", { class: "narrow" }, h("h1", { tabIndex: -1 }, words.nav.account), h("p", {}, said(session.account.email)), sessions(signal), passkeys(signal), password());
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
