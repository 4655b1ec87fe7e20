/// Where providers send browsers back to, after a login or the consent to an import. The request comes from another site, so the cookie of
/// the session is not with it; the page's own script completes what was begun, and is of this site.
enum Callback {
  static let scriptPath = "/pages/callback.js"

  static let pages: [String: Page] = [
    "/login/callback": page(title: "Log in", form: registration),
    "/trackers/callback": page(title: "Connect a tracker"),
  ]

  private static func page(title: String, form: String = "") -> Page {
    let body = """
      <h1>\(title)</h1>
      <p id="result" role="status">One moment, please.</p>
      \(form)
      <noscript><p role="alert">This page needs JavaScript.</p></noscript>
      """
    let script = "<script type=\"module\" src=\"\(scriptPath)\"></script>\n"
    let html = HTMLText.page(title: title, head: script, body: body)
    return Page([.get]) { _ in PageAnswer.html(200, html) }
  }

  /// For a login that no account has yet; shown by the script.
  private static let registration = """
    <form id="registration" hidden>
    <p><label for="username">Username</label>
    <input id="username" name="username" autocomplete="username" required></p>
    <p id="email-field" hidden><label for="email">Email address</label>
    <input id="email" name="email" type="email" autocomplete="email"></p>
    <p><button type="submit">Create the account</button></p>
    </form>
    """

  /// The page that began a login has left the login's handle in the tab's own storage, which no other tab and no other site sees.
  static let script = """
    const given = new URLSearchParams(location.search);
    const isLogin = location.pathname === "/login/callback";
    history.replaceState(null, "", location.pathname);
    const value = (name) => given.get(name) ?? "";
    const handle = sessionStorage.getItem("tandem.login.handle") ?? "";
    const result = document.querySelector("#result");
    const form = document.querySelector("#registration");

    async function send(path, request) {
      const headers = { "content-type": "application/json", "connect-protocol-version": "1" };
      const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(request) });
      const said = await answer.json();
      if (answer.ok) return said;
      const info = said.details?.find(({ type }) => type === "google.rpc.ErrorInfo")?.debug;
      throw Object.assign(new Error(said.message), { info });
    }

    function say(text, role = "status") {
      result.setAttribute("role", role);
      result.textContent = text;
    }

    function goOn(text, path) {
      say(text);
      const onward = document.createElement("a");
      onward.href = path;
      onward.textContent = "Go on";
      result.after(onward);
    }

    function begin() {
      // The console looks for a session where there was a login.
      localStorage.setItem("tandem.session", "1");
      goOn("You are logged in.", "/console/");
    }

    function register({ ticket, email }) {
      say("No account has this login yet. Choose a username to create one; if you have an account, log in to it as before.");
      form.hidden = false;
      document.querySelector("#email-field").hidden = Boolean(email);
      document.querySelector("#email").required = !email;
      form.addEventListener("submit", async (event) => {
        event.preventDefault();
        const { username, email } = Object.fromEntries(new FormData(form));
        try {
          const made = await send("/session/register/provider", { ticket, handle, username, email });
          form.hidden = true;
          if (made.login) begin();
          else goOn("Look into your mail: its link confirms your address.", "/console/login");
        } catch (error) {
          say(error.message, "alert");
        }
      });
    }

    const request = { state: value("state"), code: value("code"), issuer: value("iss"), error: value("error") };
    try {
      if (isLogin) {
        sessionStorage.removeItem("tandem.login.handle");
        await send("/session/login/provider", { ...request, handle });
        begin();
      } else {
        await send("/tandem.importer.v1.Trackers/CompleteConnection", { ...request, scope: value("scope") });
        goOn("The tracker is connected. Its first import has begun.", "/console/activities");
      }
    } catch (error) {
      if (error.info?.reason === "IDENTITY_NOT_LINKED") register(error.info.metadata);
      else say(`This did not work: ${error.message}`, "alert");
    }

    """
}
