/** What the operators' listener knows beside the methods: what processes say, and what the command line does. */

import { CallError, pause, Tandem } from "../api.js";

/** Attempts of a request that changes nothing, and milliseconds between them. */
const [ATTEMPTS, WAIT] = [3, 700];

export const methods = new Tandem();

async function ask(verb, name, query, signal) {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value));
  const headers = { "connect-protocol-version": "1" };
  if (verb === "POST") headers["content-type"] = "application/json";
  let answer;
  try {
    answer = await fetch(`/desk/${name}?${parameters}`, { method: verb, headers, body: verb === "POST" ? "{}" : undefined, signal });
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new CallError({ code: "unavailable", message: "The gateway cannot be reached" }, { cause });
  }
  const json = await answer.json();
  if (answer.ok) return json;
  const error = new CallError(json);
  if (error.isLoggedOut) methods.dispatchEvent(new Event("ended"));
  throw error;
}

/** Reads; the gateway's README has the names. */
export async function read(name, query = {}, signal) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask("GET", name, query, signal);
    } catch (error) {
      if (attempt === ATTEMPTS || error.code !== "unavailable" || signal?.aborted) throw error;
      await pause(WAIT * attempt, signal);
    }
  }
}

/** Changes something. */
export const change = (name, query = {}) => ask("POST", name, query);

/** Follows a link, once. */
export async function enter(token) {
  const headers = { "connect-protocol-version": "1", "content-type": "application/json" };
  const answer = await fetch("/desk/enter", { method: "POST", headers, body: JSON.stringify(token) });
  if (!answer.ok) throw new CallError(await answer.json());
}
