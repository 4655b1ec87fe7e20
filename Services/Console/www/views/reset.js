import { fill, h, link } from "../dom.js";
import { form } from "../parts/form.js";
import { tandem } from "../session.js";
import { words } from "../words.js";

export const title = () => words.reset.title;

export default function reset() {
  const place = h("section", { class: "narrow card" });
  fill(place, h("h1", { tabIndex: -1 }, words.reset.title), h("p", {}, words.reset.text), form({
    fields: [{ name: "email", label: words.register.email, type: "email", autocomplete: "email", required: true }],
    button: words.reset.button,
    act: async ({ email }) => {
      await tandem.act("tandem.identity.v1.Accounts/RequestPasswordReset", { email });
      fill(place, h("h1", { tabIndex: -1 }, words.reset.title), h("p", { role: "status" }, words.reset.done));
    },
  }), h("p", { class: "beside" }, link("login", {}, words.register.login)));
  return place;
}
