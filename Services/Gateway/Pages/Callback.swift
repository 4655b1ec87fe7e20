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

  /// The page that began a login has left the login's handle in the tab's own storage, which no other tab and no other site sees.
  static let script = """
    const given = new URLSearchParams(location.search);
    const isLogin = location.pathname === "/login/callback";
    history.replaceState(null, "", location.pathname);
    const value = (name) => given.get(name) ?? "";
    const request = { state: value("state"), code: value("code"), issuer: value("iss"), error: value("error") };
    if (isLogin) {
      request.handle = sessionStorage.getItem("tandem.login.handle") ?? "";
      sessionStorage.removeItem("tandem.login.handle");
    } else {
      request.scope = value("scope");
    }
    const result = document.querySelector("#result");
    try {
      const path = isLogin ? "/session/login/provider" : "/tandem.importer.v1.Trackers/CompleteConnection";
      const headers = { "content-type": "application/json", "connect-protocol-version": "1" };
      const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(request) });
      if (!answer.ok) throw new Error((await answer.json()).message);
      result.textContent = isLogin ? "You are logged in." : "The tracker is connected. Its first import has begun.";
      // The console looks for a session where there was a login.
      if (isLogin) localStorage.setItem("tandem.session", "1");
      const onward = document.createElement("a");
      onward.href = isLogin ? "/console/" : "/console/activities";
      onward.textContent = "Go on";
      result.after(onward);
    } catch (error) {
      result.setAttribute("role", "alert");
      result.textContent = `This did not work: ${error.message}`;
    }

    """
}
