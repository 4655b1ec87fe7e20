/// Where providers send browsers back to, after a login or the consent to an import. The request comes from another site, so the cookie of
/// the session is not with it; the page's own script completes what was begun, and is of this site.
enum Callback {
  static let scriptPath = "/pages/callback.js"

  static let pages: [String: Page] = [
    "/login/callback": page(title: "Log in"),
    "/trackers/callback": page(title: "Connect a tracker"),
  ]

  private static func page(title: String) -> Page {
    let body = """
      <h1>\(title)</h1>
      <p id="result" role="status">One moment, please.</p>
      <noscript><p role="alert">This page needs JavaScript.</p></noscript>
      """
    let script = "<script type=\"module\" src=\"\(scriptPath)\"></script>\n"
    let html = HTMLText.page(title: title, head: script, body: body)
    return Page([.get]) { _ in PageAnswer.html(200, html) }
  }

  /// The page that began a login has left the login's handle in the tab's own storage, which no other tab and no other site sees; one
  /// that began to link an identity to an account has left a mark there. An identity that no account has yet goes on to the
  /// console's registration, with the ticket and the handle in the same storage.
  static let script = """
    const given = new URLSearchParams(location.search);
    const taken = (name) => {
      const found = sessionStorage.getItem(name);
      sessionStorage.removeItem(name);
      return found;
    };
    const methods = {
      login: ["/session/login/provider", "You are logged in.", "/console/"],
      link: ["/tandem.identity.v1.FederatedLogins/CompleteIdentityLink", "You can log in by it from now on.", "/console/account"],
      tracker: ["/tandem.importer.v1.Trackers/CompleteConnection", "The tracker is connected. Its first import has begun.", "/console/activities?tab=trackers"],
    };
    const isTracker = location.pathname === "/trackers/callback";
    const kind = isTracker ? "tracker" : taken("tandem.link") ? "link" : "login";
    history.replaceState(null, "", location.pathname);
    const value = (name) => given.get(name) ?? "";
    const request = { state: value("state"), code: value("code"), issuer: value("iss"), error: value("error") };
    if (kind === "login") request.handle = taken("tandem.login.handle") ?? "";
    if (kind === "tracker") request.scope = value("scope");
    const [path, done, next] = methods[kind];
    const result = document.querySelector("#result");
    const goOn = (address) => {
      const onward = document.createElement("a");
      onward.href = address;
      onward.textContent = "Go on";
      result.after(onward);
    };
    try {
      const headers = { "content-type": "application/json", "connect-protocol-version": "1" };
      const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(request) });
      if (answer.ok) {
        result.textContent = done;
        // The console looks for a session where there was a login.
        if (kind === "login") localStorage.setItem("tandem.session", "1");
        goOn(next);
      } else {
        const { message, details = [] } = await answer.json();
        const error = details.find((one) => one.type === "google.rpc.ErrorInfo")?.debug;
        if (error?.reason !== "IDENTITY_NOT_LINKED") throw new Error(message);
        const { ticket, email = "" } = error.metadata;
        sessionStorage.setItem("tandem.login.ticket", JSON.stringify({ ticket, email, handle: request.handle }));
        result.textContent = "You have no account with this login yet.";
        goOn("/console/register");
      }
    } catch (error) {
      result.setAttribute("role", "alert");
      result.textContent = `This did not work: ${error.message}`;
      goOn(kind === "login" ? "/console/login" : next);
    }

    """
}
