import { fill, h, said } from "../dom.js";
import { form } from "../parts/form.js";
import { action, show, tell } from "../parts/notice.js";
import { avatar } from "../parts/person.js";
import { loadProfile, session, tandem } from "../session.js";
import { complaint, figures, words } from "../words.js";

const PROFILES = "tandem.identity.v1.Profiles";
const FIELDS = ["gender", "date_of_birth", "level", "interests", "strengths", "time_zone", "contact"];

export const title = () => words.nav.profile;

export default async function profile({ signal }) {
  const options = await tandem.call(`${PROFILES}/ListProfileOptions`, {}, { signal });
  const place = h("div", { class: "narrow" });
  const showAll = () => fill(place, h("h1", { tabIndex: -1 }, said(session.account.username)), picture(showAll), details(options), badges(signal));
  showAll();
  return place;
}

function picture(showAll) {
  const { username } = session.account;
  const input = h("input", { type: "file", accept: "image/jpeg,image/png,image/webp", "aria-label": words.profile.picture });
  const progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": words.profile.picture });
  const bad = h("p", { class: "bad", role: "alert" });
  const hasPicture = Boolean(session.profile?.pictureEtag);
  input.addEventListener("change", async () => {
    if (!input.files[0]) return;
    bad.textContent = "";
    progress.hidden = false;
    try {
      await tandem.upload("PUT", "/pictures/profile", input.files[0], { progress: (part) => (progress.value = part) });
      await loadProfile();
      tell(words.profile.pictureDone);
      showAll();
    } catch (error) {
      progress.hidden = true;
      bad.textContent = complaint(error);
    }
  });
  const big = avatar(username, session.profile?.pictureEtag, 256);
  big.classList.add("big");
  const remove = hasPicture && action(words.profile.removePicture, async () => {
    await tandem.act(`${PROFILES}/DeleteProfilePicture`);
    await loadProfile();
    showAll();
  });
  return h("section", { class: "item" }, big, h("div", {}, h("h2", {}, words.profile.picture), input, h("p", { class: "help" }, words.profile.pictureHelp), progress, bad, remove));
}

function details(options) {
  const own = session.profile?.hasGymProfile ? session.profile : undefined;
  const born = own?.dateOfBirth;
  const two = (value) => String(value).padStart(2, "0");
  const zones = Intl.supportedValuesOf?.("timeZone") ?? [];
  const zone = own?.timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  return h("section", { class: "card" }, h("h2", {}, own ? words.profile.details : words.profile.make), form({
    draft: own ? "" : "profile",
    fields: [
      { name: "gender", label: words.profile.gender, type: "select", value: own?.gender, options: (options.genders ?? []).map((one) => [one.gender, one.label]), path: "profile.gender" },
      { name: "dateOfBirth", label: words.profile.born, type: "date", required: true, autocomplete: "bday", value: born ? `${born.year}-${two(born.month)}-${two(born.day)}` : "", help: words.profile.bornHelp, path: "profile.date_of_birth" },
      { name: "level", label: words.profile.level, type: "select", value: own?.level, options: (options.levels ?? []).map((one) => [one.level, `${one.label}: ${one.guide ?? ""}`]), path: "profile.level" },
      { name: "interests", label: words.profile.interests, type: "choices", value: own?.interests, options: (options.interests ?? []).map((one) => [one.id, one.label]), path: "profile.interests" },
      { name: "strengths", label: words.profile.strengths, type: "choices", value: own?.strengths, options: (options.strengths ?? []).map((one) => [one.id, one.label]), path: "profile.strengths" },
      { name: "timeZone", label: words.profile.zone, type: zones.length ? "select" : "text", value: zone, options: [...new Set([zone, ...zones])].map((one) => [one, one]), path: "profile.time_zone" },
      { name: "phone", label: words.profile.phone, type: "tel", autocomplete: "tel", value: own?.contact?.phone, path: "profile.contact.phone" },
      { name: "visibility", label: words.profile.visibility, type: "select", value: own?.contact?.visibility ?? "CONTACT_VISIBILITY_GROUPS_IN_COMMON", options: Object.entries(words.profile.visibilities), path: "profile.contact.visibility" },
    ],
    button: words.save,
    act: async ({ dateOfBirth, phone, visibility, ...rest }) => {
      const [year, month, day] = dateOfBirth.split("-").map(Number);
      const profile = { ...rest, dateOfBirth: { year, month, day }, contact: { ...own?.contact, phone, visibility }, etag: own?.etag };
      if (own) await tandem.act(`${PROFILES}/UpdateProfile`, { profile, updateMask: FIELDS.map((name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())).join(",") });
      else await tandem.act(`${PROFILES}/CreateProfile`, { profile });
      await loadProfile();
      tell(words.profile.saved);
    },
  }));
}

function badges(signal) {
  const place = h("section", { class: "card" });
  show(place, async () => {
    const { badges = [] } = await tandem.call("tandem.notification.v1.Badges/ListBadges", {}, { signal });
    return [h("h2", {}, words.profile.badges), badges.length ? h("ul", { class: "list" }, badges.map((one) => h("li", {}, h("strong", {}, one.title), " ", h("span", { class: "dim" }, one.description, " · ", figures.day(one.awardTime))))) : h("p", { class: "dim" }, words.profile.noBadges)];
  });
  return place;
}
