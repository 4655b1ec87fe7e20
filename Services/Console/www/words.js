/** The texts in the reader's language, and figures as this language writes them. One more language is one more file in `texts`. */

const LANGUAGES = { en: () => import("./texts/en.js") };

const known = navigator.languages.map((language) => language.split("-")[0]).find((language) => language in LANGUAGES) ?? "en";

/** The texts; a text with values is a function. */
export const words = (await LANGUAGES[known]()).default;

/** For `Intl`: the reader's own region, where the language is that of the texts. */
export const locale = navigator.languages.find((language) => language.startsWith(known)) ?? known;
document.documentElement.lang = known;

const format = (options) => new Intl.DateTimeFormat(locale, options);
const [day, time, full] = [format({ dateStyle: "medium" }), format({ timeStyle: "short" }), format({ dateStyle: "medium", timeStyle: "short" })];
const weekday = format({ weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
const number = (digits) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits, minimumFractionDigits: digits });

export const figures = {
  day: (timestamp) => day.format(new Date(timestamp)),
  time: (timestamp) => time.format(new Date(timestamp)),
  full: (timestamp) => full.format(new Date(timestamp)),
  slot: (start, end) => `${weekday.format(new Date(start))} – ${time.format(new Date(end))}`,
  number: (value, digits = 0) => number(digits).format(value ?? 0),

  /** A `google.type.Date`. */
  date: (date) => (date ? day.format(new Date(date.year, date.month - 1, date.day)) : ""),

  /** How long ago, or until when. */
  ago(timestamp, now = Date.now()) {
    const seconds = (Date.parse(timestamp) - now) / 1_000;
    const steps = [["day", 86_400], ["hour", 3_600], ["minute", 60]];
    const [unit, length] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
    return unit === "second" ? words.now : relative.format(Math.round(seconds / length), unit);
  },

  distance: (metres) => (metres < 1_000 ? `${number(0).format(metres)} m` : `${number(metres < 10_000 ? 2 : 1).format(metres / 1_000)} km`),

  duration(seconds) {
    const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
    const two = (value) => String(value).padStart(2, "0");
    return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
  },

  /** Minutes for a kilometre. */
  pace: (metres, seconds) => (metres > 0 ? `${figures.duration((seconds / metres) * 1_000)} /km` : ""),
};

/** The label of an enum's value: `SPORT_RUN` is `run` in the texts of `SPORT`. */
export function label(prefix, value) {
  const name = String(value ?? "").replace(`${prefix}_`, "").toLowerCase();
  return words.labels[prefix]?.[name] ?? name.replaceAll("_", " ");
}

/** A sentence for what went wrong, with what to do about it. */
export function complaint(error) {
  const known = words.reasons[error.reason];
  if (known) return typeof known === "function" ? known(error) : known;
  return words.codes[error.code] ?? error.message ?? words.codes.unknown;
}
