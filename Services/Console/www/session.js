/** Who is logged in, for all views of a tab. */

import { CallError, Tandem } from "./api.js";

export const tandem = new Tandem();

const [ACCOUNTS, PROFILES] = ["tandem.identity.v1.Accounts", "tandem.identity.v1.Profiles"];

/** `account` is the `OwnAccount`, undefined while there is no session; `profile` undefined while there is none. */
export const session = Object.assign(new EventTarget(), { account: undefined, profile: undefined, isKnown: false });

/** Whether this browser has logged in: without it there is no cookie, and nothing to ask. */
const MARK = "tandem.session";

const changed = () => session.dispatchEvent(new Event("changed"));

/** Finds out whose session it is. */
export async function recognise() {
  if (!localStorage.getItem(MARK)) {
    session.isKnown = true;
    return changed();
  }
  try {
    const account = await tandem.call(`${ACCOUNTS}/GetOwnAccount`);
    const isOther = session.account && session.account.userId !== account.userId;
    session.account = account;
    session.isKnown = true;
    if (isOther) session.profile = undefined;
    await loadProfile();
  } catch (error) {
    if (!(error instanceof CallError) || !error.isLoggedOut) throw error;
    session.account = session.profile = undefined;
    session.isKnown = true;
    localStorage.removeItem(MARK);
  }
  changed();
}

// Another tab has logged in, or out.
addEventListener("storage", ({ key, newValue }) => {
  if (key !== MARK || !session.isKnown) return;
  if (newValue && !session.account) location.reload();
});

export async function loadProfile() {
  try {
    session.profile = await tandem.call(`${PROFILES}/GetProfile`, { username: session.account.username });
  } catch (error) {
    if (error.code !== "not_found") throw error;
    session.profile = undefined;
  }
  changed();
}

/** Logs in by one of the ways of `Tandem`, and finds out who that is. */
export async function logIn(way) {
  const answer = await way();
  localStorage.setItem(MARK, "1");
  await recognise();
  return answer;
}

export async function logOut() {
  await tandem.logOut();
  localStorage.removeItem(MARK);
  session.account = session.profile = undefined;
  for (const key of Object.keys(sessionStorage)) if (key.startsWith("tandem.")) sessionStorage.removeItem(key);
  changed();
}

/** A name for the list of sessions. */
export function deviceLabel() {
  const system = navigator.userAgentData?.platform ?? navigator.platform ?? "";
  return `Console, ${system}`.slice(0, 60);
}
