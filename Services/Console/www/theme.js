/** Light or dark: as the system says, until someone chooses. */

const KEY = "tandem.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

const chosen = () => localStorage.getItem(KEY);
const apply = () => {
  document.documentElement.dataset.theme = chosen() ?? (dark.matches ? "dark" : "light");
};

dark.addEventListener("change", apply);
apply();

export const isDark = () => document.documentElement.dataset.theme === "dark";

export function switchTheme() {
  localStorage.setItem(KEY, isDark() ? "light" : "dark");
  apply();
}
