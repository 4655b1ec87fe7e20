import IdentityMail
import Identifiers

/// Composes the mail with the link to choose a new password ([ID-8]).
package struct PasswordResetLetter: Sendable {
  private let link: String

  /// - Parameter link: the page that accepts the token; as ``TokenLink`` takes it.
  package init(link: String) {
    self.link = TokenLink.prefix(to: link)
  }

  /// The mail to the user with this username, which makes no link: another may have registered the address ([ID-44]).
  func mail(_ id: UUID7, to address: MailAddress, username: String, token: String) -> Mail {
    let name = UnlinkedText(username).text
    return Mail(
      id: id, to: address, subject: "Choose a new password",
      text: MailText(
        """
        Hello \(name),

        somebody, probably you, asked for a new password for Tandem. Please open this link to choose it:

        \(link)\(token)

        If you are asked for a token, it is this:

        \(token)

        Both work once, and for 30 minutes. With the new password all your devices are logged out.
        If you did not ask for it, you need not do anything: your password stays as it is.

        """),
      html: """
        <p>Hello \(name),</p>
        <p>somebody, probably you, asked for a new password for Tandem. Please open this link to choose it:</p>
        <p><a href="\(link)\(token)">Choose a new password</a></p>
        <p>If you are asked for a token, it is this: <code>\(token)</code></p>
        <p>Both work once, and for 30 minutes. With the new password all your devices are logged out.
        If you did not ask for it, you need not do anything: your password stays as it is.</p>

        """)
  }
}
