import { h, link, said } from "../dom.js";

const COLOURS = 8;

/** A person's picture, or the first letter of the name. */
export function avatar(username, etag, size = 64) {
  const letter = h("span", { class: `avatar tone-${[...(username ?? "")].reduce((sum, one) => sum + one.codePointAt(0), 0) % COLOURS}`, "aria-hidden": "true" }, (username ?? "?").slice(0, 1).toUpperCase());
  if (!etag) return letter;
  const address = `/pictures/profile/${encodeURIComponent(username)}?size=${size}&of=${encodeURIComponent(etag)}`;
  letter.replaceChildren(h("img", { src: address, alt: "", on: { error: () => letter.replaceChildren(username.slice(0, 1).toUpperCase()) } }));
  return letter;
}

/** A person's name, which leads to the profile. */
export function person(username) {
  return username ? link(`people/${encodeURIComponent(username)}`, { class: "person" }, said(username)) : said("—");
}
