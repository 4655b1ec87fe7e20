import GatewayProtocols
import HTTPTypes
import TTRPC
import TTRPCClient
import TandemIdentity
import TandemNotification

/// The page that a link in a mail leads to. Reading it changes nothing, because scanners of mail read links too: only its form does.
struct MailedLink: Sendable {
  /// A field of the form, beside that of the token.
  struct Field: Sendable {
    let name: String
    let label: String
    /// The type of the input, and its value of `autocomplete`.
    let type: String
    let autocomplete: String
    /// The beginning of the reasons of the refusals after which the field is asked for; `nil` for one that always is.
    var shownAfter: String?
  }

  let path: String
  let title: String
  /// What happens, in a sentence or two.
  let explanation: String
  let fields: [Field]
  /// The text of the button.
  let button: String
  /// Does it; returns what to tell the user.
  let act: @Sendable (_ form: QueryParameters, _ client: RPCClient, _ options: CallOptions) async throws -> String

  fileprivate static let password = Field(
    name: "password", label: "Password", type: "password", autocomplete: "new-password")
  fileprivate static let username = Field(
    name: "username", label: "Another username", type: "text", autocomplete: "username", shownAfter: "USERNAME_")

  /// The pages of the links in identity's mails.
  static let all = [verification, reset, emailChange, emailUndo]

  static let verification = MailedLink(
    path: "/verify", title: "Confirm your email address",
    explanation: """
      Enter the password of your account: the one that you registered with, or a new one. It is your password from now on.
      """,
    fields: [password, username], button: "Confirm the address"
  ) { form, client, options in
    var request = VerifyEmailRequest()
    request.token = form.text("token") ?? ""
    request.password = form.text("password") ?? ""
    request.username = form.text("username") ?? ""
    _ = try await AccountsClient(client).verifyEmail(request, options)
    return "Your email address is confirmed. You can log in now."
  }

  static let reset = MailedLink(
    path: "/reset", title: "Choose a new password",
    explanation: "With the new password all your devices are logged out.", fields: [password, username],
    button: "Set the password"
  ) { form, client, options in
    var request = ResetPasswordRequest()
    request.token = form.text("token") ?? ""
    request.newPassword = form.text("password") ?? ""
    request.username = form.text("username") ?? ""
    _ = try await AccountsClient(client).resetPassword(request, options)
    return "Your new password is set. Log in with it."
  }

  static let emailChange = MailedLink(
    path: "/email/confirm", title: "Confirm your new email address",
    explanation: "Your account gets this address in place of the old one. The old address is told how to undo it.",
    fields: [], button: "Change the address"
  ) { form, client, options in
    var request = ConfirmEmailChangeRequest()
    request.token = form.text("token") ?? ""
    let changed = try await AccountsClient(client).confirmEmailChange(request, options)
    return "The email address of your account is now \(changed.email)."
  }

  static let emailUndo = MailedLink(
    path: "/email/undo", title: "Undo the change of your email address",
    explanation: """
      Your account gets its old address back. Everything by which another person may get in is removed: the password, passkeys, linked \
      accounts, and every login. A mail to the old address has a link to choose a new password.
      """,
    fields: [], button: "Undo the change"
  ) { form, client, options in
    var request = UndoEmailChangeRequest()
    request.token = form.text("token") ?? ""
    let undone = try await AccountsClient(client).undoEmailChange(request, options)
    return "Your account has the address \(undone.email) again. A mail to it has a link to choose a new password."
  }

  /// Mail clients post to it by themselves (RFC 8058): the token is in the query then, where they leave it.
  static let unsubscription = MailedLink(
    path: "/unsubscribe", title: "No more mail of this kind",
    explanation: "You will get no more mail of the kind that the link was in. The app still shows the notifications.",
    fields: [], button: "Unsubscribe"
  ) { form, client, options in
    var request = UnsubscribeRequest()
    request.token = form.text("token") ?? ""
    _ = try await NotificationsClient(client).unsubscribe(request, options)
    return "You will get no more mail of this kind."
  }
}

extension MailedLink {
  /// The page, and what its form does.
  func page(_ calls: SuiteCalls) -> Page {
    Page([.get, .post]) { request in
      guard request.head.method == .post else {
        return PageAnswer.html(200, self.html(token: self.tokenInQuery(of: request), after: nil))
      }
      guard let form = self.form(of: request) else {
        return PageAnswer.failure(Status(.invalidArgument, "The form cannot be read"))
      }
      do {
        let done = try await self.act(form, try calls.client(of: "identity", for: request), calls.options(for: request))
        let body = """
          <h1>\(HTMLText.escaped(self.title))</h1>
          <p role="status">\(HTMLText.escaped(done))</p>
          <p><a href="/console/">Go on</a></p>
          """
        return PageAnswer.html(200, HTMLText.page(title: self.title, body: body))
      } catch {
        let status = SuiteCalls.status(of: error)
        let page = self.html(token: form.text("token") ?? "", after: status)
        return PageAnswer.html(status.code.httpStatus, page, PageAnswer.retry(status))
      }
    }
  }

  private var isOneClick: Bool { path == Self.unsubscription.path }

  /// Only for a link that mail clients post to. The others have their token in the fragment, which no server sees.
  private func tokenInQuery(of request: PageRequest) -> String {
    guard isOneClick, let query = try? QueryParameters(request.head.path ?? "") else { return "" }
    return query.text("token") ?? ""
  }

  /// `nil` for a body that is no form.
  private func form(of request: PageRequest) -> QueryParameters? {
    let type = (request.head.headerFields[.contentType] ?? "").lowercased()
    // A mail client may send multipart, too; it says nothing but that this is one click.
    if isOneClick, !tokenInQuery(of: request).isEmpty { return try? QueryParameters(request.head.path ?? "") }
    guard type.hasPrefix("application/x-www-form-urlencoded"),
      let text = String(validating: request.body, as: UTF8.self)
    else { return nil }
    return try? QueryParameters(form: text[...])
  }

  /// The form, with what was refused of the last try. Passwords are never sent back.
  func html(token: String, after status: Status?) -> [UInt8] {
    let reason = status?.errorInfo?.reason ?? ""
    var body = "<h1>\(HTMLText.escaped(title))</h1>\n<p>\(HTMLText.escaped(explanation))</p>\n"
    if let status {
      body += "<p role=\"alert\">\(HTMLText.escaped(PageAnswer.sentence(of: status)))</p>\n"
    }
    body += "<form method=\"post\" action=\"\(path)\">\n"
    body += Self.input(
      Field(name: "token", label: "Token from the mail", type: "text", autocomplete: "off"), value: token)
    for field in fields where field.shownAfter.map({ reason.hasPrefix($0) }) ?? true {
      body += Self.input(field, value: "")
    }
    body += "<p><button type=\"submit\">\(HTMLText.escaped(button))</button></p>\n</form>"
    let script = "<script type=\"module\" src=\"\(PageAssets.scriptPath)\"></script>\n"
    return HTMLText.page(title: title, head: script, body: body)
  }

  private static func input(_ field: Field, value: String) -> String {
    """
    <p><label for="\(field.name)">\(HTMLText.escaped(field.label))</label>
    <input id="\(field.name)" name="\(field.name)" type="\(field.type)" autocomplete="\(field.autocomplete)" \
    value="\(HTMLText.escaped(value))" required></p>

    """
  }
}
