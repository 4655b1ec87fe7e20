import IdentityMail
import Identifiers

/// Composes the mails to an address that a user wants for their account ([ID-15]).
package struct EmailChangeLetter: Sendable {
  private let link: String

  /// - Parameter link: the page that accepts the token; `?token=…` is appended to it.
  package init(link: String) {
    self.link = link + (link.contains("?") ? "&" : "?") + "token="
  }

  /// The mail with the link that confirms the change, to the user with this username.
  func mail(_ id: UUID7, to address: MailAddress, username: String, token: String) -> Mail {
    let name = UnlinkedText(username).text
    return Mail(
      id: id, to: address, subject: "Please confirm your new email address",
      text: MailText(
        """
        Hello \(name),

        please open this link to make this the email address of your Tandem account:

        \(link)\(token)

        If you are asked for a token, it is this:

        \(token)

        Both work once, and for 24 hours. If you did not ask for it, you need not do anything:
        without the confirmation nothing changes.

        """),
      html: """
        <p>Hello \(name),</p>
        <p>please open this link to make this the email address of your Tandem account:</p>
        <p><a href="\(link)\(token)">Confirm the address</a></p>
        <p>If you are asked for a token, it is this: <code>\(token)</code></p>
        <p>Both work once, and for 24 hours. If you did not ask for it, you need not do anything:
        without the confirmation nothing changes.</p>

        """)
  }

  /// The mail to an address that another account has: without a link, and without a word of the user who wants it.
  func refusal(_ id: UUID7, to address: MailAddress) -> Mail {
    let body =
      "a person who is logged in to another Tandem account asked to use this email address for it. That is not possible, because your account has the address, or had it until lately. Nothing was changed, and the person did not get into your account."
    let advice =
      "If it was you, log in to the account that has the address and change its address first. If it was not you, you need not do anything."
    return Mail(
      id: id, to: address, subject: "Your email address was asked for",
      text: MailText("Hello,\n\n\(body)\n\n\(advice)\n"),
      html: "<p>Hello,</p>\n<p>\(body)</p>\n<p>\(advice)</p>\n")
  }
}
