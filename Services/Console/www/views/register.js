import { fill, h, link, said } from "../dom.js";
import { drafts, form } from "../parts/form.js";
import { action, tell } from "../parts/notice.js";
import { go } from "../router.js";
import { takeTicket, ticketOf } from "../parts/providers.js";
import { deviceLabel, logIn, tandem } from "../session.js";
import { figures, words } from "../words.js";

const ACCOUNTS = "tandem.identity.v1.Accounts";
/** Kept in the tab: with it the link in the mail needs no password, and after a reload the page knows what it waits for. */
const WAITING = "registration";

export const title = () => words.register.title;

export default function register() {
  const place = h("section", { class: "narrow card" });
  const waiting = drafts.read(WAITING);
  if (waiting) showWaiting(place, waiting);
  else if (ticketOf()) showIdentity(place, ticketOf());
  else showForm(place);
  return place;
}

function showForm(place) {
  fill(place, h("h1", { tabIndex: -1 }, words.register.title), form({
    draft: "register",
    fields: [
      { name: "email", label: words.register.email, type: "email", autocomplete: "email", required: true, help: words.register.emailHelp },
      { name: "username", label: words.register.username, autocomplete: "username", required: true, help: words.register.usernameHelp },
      { name: "password", label: words.register.password, type: "password", autocomplete: "new-password", required: true, help: words.register.passwordHelp },
    ],
    button: words.register.button,
    act: async (values) => {
      const answer = await tandem.act(`${ACCOUNTS}/Register`, values);
      const waiting = { email: values.email, username: values.username, secret: answer.registrationSecret, until: answer.verificationExpireTime };
      drafts.keep(WAITING, waiting);
      showWaiting(place, waiting, values.password);
    },
  }), h("p", { class: "beside" }, link("login", {}, words.register.login)));
}

/** An identity of a provider that no account has: all that is missing is a name. */
function showIdentity(place, { ticket, handle, email }) {
  fill(place, h("h1", { tabIndex: -1 }, words.register.title), h("p", {}, words.register.noAccount, " ", said(email, "strong")), form({
    draft: "register.identity",
    fields: [
      !email && { name: "email", label: words.register.email, type: "email", autocomplete: "email", required: true, help: words.register.emailHelp },
      { name: "username", label: words.register.username, autocomplete: "username", required: true, help: words.register.usernameHelp },
    ],
    button: words.register.button,
    act: async (values) => {
      const answer = await tandem.registerByProvider({ ticket, handle, deviceLabel: deviceLabel(), ...values });
      takeTicket();
      if (answer.login) {
        await logIn(async () => answer);
        return go("profile", { replace: true });
      }
      const waiting = { email: values.email ?? email, username: values.username, secret: answer.registrationSecret, until: answer.verificationExpireTime };
      drafts.keep(WAITING, waiting);
      showWaiting(place, waiting);
    },
  }), h("p", {}, words.register.linkInstead), h("p", { class: "beside" }, link("login?then=account", {}, words.register.login),
    h("button", { type: "button", on: { click: () => { takeTicket(); showForm(place); } } }, words.register.without)));
}

/** @param {string} [password] for the login afterwards; not kept anywhere else. */
function showWaiting(place, waiting, password) {
  const verify = form({
    fields: [{ name: "token", label: words.register.link, required: true, help: words.register.linkHelp, path: "token" }],
    button: words.register.verify,
    act: async ({ token }) => {
      const code = token.trim().split(/[#=]/).at(-1);
      await tandem.act(`${ACCOUNTS}/VerifyEmail`, { token: code, registrationSecret: waiting.secret });
      drafts.drop(WAITING);
      tell(words.register.verified);
      if (!password) return go("login", { replace: true });
      await logIn(() => tandem.logIn(waiting.username, password, deviceLabel()));
      go("profile", { replace: true });
    },
  });
  fill(place, h("h1", { tabIndex: -1 }, words.register.mailTitle),
    h("p", {}, words.register.mailed, " ", said(waiting.email, "strong"), ". ", words.register.until(figures.full(waiting.until))),
    h("p", {}, words.register.orHere), verify,
    h("div", { class: "actions" },
      action(words.register.resend, async () => {
        await tandem.act(`${ACCOUNTS}/ResendVerification`, { email: waiting.email });
        tell(words.register.resent);
      }),
      h("button", { type: "button", class: "plain", on: { click: () => { drafts.drop(WAITING); showForm(place); } } }, words.register.other)));
}
