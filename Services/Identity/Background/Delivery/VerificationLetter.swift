import IdentityMail
import Identifiers

/// Composes the mail with the link that verifies an address ([ID-1], [ID-4]).
package struct VerificationLetter: Sendable {
  private let link: String

  /// - Parameter link: the page that accepts the token; as ``TokenLink`` takes it.
  package init(link: String) {
    self.link = TokenLink.prefix(to: link)
  }

  /// The mail to the user with this username, which makes no link: another may have registered the address ([ID-44]).
  func mail(_ id: UUID7, to address: MailAddress, username: String, token: String) -> Mail {
    let name = UnlinkedText(username).text
    return Mail(
      id: id, to: address, subject: "Please confirm your email address",
      text: MailText(
        """
        Hello \(name),

        please open this link to confirm your email address for Tandem:

        \(link)\(token)

        If you are asked for a token, it is this:

        \(token)

        Both work once, and for 24 hours. On another device than the one on which you registered
        you are asked for your password. If you did not register, you need not do anything:
        without the confirmation the account is removed after seven days.

        """),
      html: """
        <p>Hello \(name),</p>
        <p>please open this link to confirm your email address for Tandem:</p>
        <p><a href="\(link)\(token)">Confirm the address</a></p>
        <p>If you are asked for a token, it is this: <code>\(token)</code></p>
        <p>Both work once, and for 24 hours. On another device than the one on which you registered
        you are asked for your password. If you did not register, you need not do anything:
        without the confirmation the account is removed after seven days.</p>

        """)
  }
}
