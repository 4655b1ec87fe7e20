/** Providers that people log in by. They send the browser back to `/login/callback`, whose page completes what began here. */

import { tandem } from "../session.js";

const PROVIDERS = "tandem.identity.v1.FederatedLogins";
/** What that page finds of a login, finds of a link, and leaves of an identity that no account has. */
const [HANDLE, LINK, TICKET] = ["tandem.login.handle", "tandem.link", "tandem.login.ticket"];

const redirectUri = () => `${location.origin}/login/callback`;

/** Leaves for the provider, to log in. */
export async function toProvider(providerId) {
  const started = await tandem.act(`${PROVIDERS}/StartFederatedLogin`, { providerId, redirectUri: redirectUri() });
  sessionStorage.removeItem(LINK);
  sessionStorage.setItem(HANDLE, started.handle);
  location.assign(started.authorizationUrl);
}

/** Leaves for the provider, to log in by it from then on. */
export async function toLink(providerId) {
  const started = await tandem.act(`${PROVIDERS}/StartIdentityLink`, { providerId, redirectUri: redirectUri() });
  sessionStorage.setItem(LINK, "1");
  location.assign(started.authorizationUrl);
}

/** `{ ticket, handle, email }` of an identity that no account has; null where there is none. */
export const ticketOf = () => JSON.parse(sessionStorage.getItem(TICKET) ?? "null");

export const takeTicket = () => sessionStorage.removeItem(TICKET);
