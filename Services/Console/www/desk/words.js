/** The texts of the operators' console in the reader's language. One more language is one more file in `texts`. */

const LANGUAGES = { en: () => import("../texts/desk-en.js") };
const known = navigator.languages.map((language) => language.split("-")[0]).find((language) => language in LANGUAGES) ?? "en";

export const texts = (await LANGUAGES[known]()).default;
