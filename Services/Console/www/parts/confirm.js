import { h } from "../dom.js";
import { session, tandem } from "../session.js";
import { words } from "../words.js";
import { dialog } from "./dialog.js";
import { form } from "./form.js";

/** Does something that wants a login of a moment ago: asks for the password where it is longer ago. False where it was not given. */
export async function confirmed(act) {
  try {
    await act();
    return true;
  } catch (error) {
    if (error.reason !== "FRESH_LOGIN_REQUIRED" || !session.account.hasPassword) throw error;
  }
  if (!(await passwordGiven())) return false;
  await act();
  return true;
}

async function passwordGiven() {
  const content = form({
    fields: [{ name: "password", label: words.account.confirm, type: "password", autocomplete: "current-password", required: true }],
    button: words.account.confirmButton,
    act: async ({ password }) => {
      await tandem.act("tandem.identity.v1.Accounts/ConfirmPassword", { password });
      opened.close("yes");
    },
  });
  const opened = dialog(words.account.confirmTitle, h("div", {}, content));
  return (await opened.closed) === "yes";
}
