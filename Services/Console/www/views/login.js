import { CallError } from "../api.js";
import { h, link } from "../dom.js";
import { dialog } from "../parts/dialog.js";
import { form } from "../parts/form.js";
import { action, tellError } from "../parts/notice.js";
import { canUsePasskeys, logInByPasskey } from "../parts/passkeys.js";
import { toProvider } from "../parts/providers.js";
import { go } from "../router.js";
import { deviceLabel, logIn, session, tandem } from "../session.js";
import { words } from "../words.js";

const PROVIDERS = "tandem.identity.v1.FederatedLogins";

export const title = () => words.login.title;

function passwordForm(done, account) {
  const name = { name: "emailOrUsername", label: words.login.name, autocomplete: "username", required: true, value: account?.username };
  return form({
    fields: [name, { name: "password", label: words.login.password, type: "password", autocomplete: "current-password", required: true }],
    button: words.login.button,
    act: async ({ emailOrUsername, password }) => {
      await logIn(() => tandem.logIn(emailOrUsername, password, deviceLabel()));
      await done();
    },
  });
}

function otherWays(done) {
  const place = h("div", { class: "other-ways" });
  if (canUsePasskeys()) place.append(action(words.login.passkey, async () => {
    await logIn(logInByPasskey);
    await done();
  }));
  tandem.call(`${PROVIDERS}/ListProviders`).then(({ providers = [] }) => place.append(...providers.map((provider) =>
    action(words.login.provider(provider.displayName), () => toProvider(provider.providerId))))).catch((error) => error instanceof CallError || tellError(error));
  return place;
}

export default function login({ query }) {
  const then = query.get("then") ?? "";
  const done = async () => {
    go(then.startsWith("/") || then.includes("//") ? "" : then, { replace: true });
  };
  if (session.account) queueMicrotask(() => go("", { replace: true }));
  return h("section", { class: "narrow card" },
    h("h1", { tabIndex: -1 }, words.login.title),
    then && h("p", {}, words.login.first),
    passwordForm(done), otherWays(done),
    h("p", { class: "beside" }, link("register", {}, words.login.register), link("reset", {}, words.login.forgotten)));
}

/** Where the session has ended elsewhere: asks for the password above the view, which stays as it is with everything that was typed. */
export async function askAgain(account) {
  const content = h("div", {}, h("p", {}, words.login.again));
  const opened = dialog(words.login.againTitle, content, { closable: false, kind: "login-again" });
  const done = async () => {
    if (session.account?.userId !== account.userId) location.assign("/console/");
    opened.close();
  };
  content.append(passwordForm(done, account), otherWays(done));
  content.querySelector("input[type=password]")?.focus();
  await opened.closed;
}
