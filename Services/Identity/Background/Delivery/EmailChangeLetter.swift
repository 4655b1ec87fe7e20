import IdentityMail
import Identifiers

/// Composes the mails to an address that a user wants for their account ([ID-15]).
package struct EmailChangeLetter: Sendable {
  private let link: String

  /// - Parameter link: the page that accepts the token; as ``TokenLink`` takes it.
  package init(link: String) {
    self.link = TokenLink.prefix(to: link)
  }

  /// What confirms one account's change.
  struct Link: Sendable {
    let username: String
    let token: String
  }

  /// The mail with the links that confirm the changes of the users with these usernames; at least one.
  ///
  /// Several are of strangers but one at most. The mail says so, and follows none of their words.
  func mail(_ id: UUID7, to address: MailAddress, _ links: [Link]) -> Mail {
    links.count == 1 ? mail(id, to: address, links[0]) : mailOfSeveral(id, to: address, links)
  }

  private func mail(_ id: UUID7, to address: MailAddress, _ one: Link) -> Mail {
    let name = UnlinkedText(one.username).text
    let token = one.token
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

  private func mailOfSeveral(_ id: UUID7, to address: MailAddress, _ links: [Link]) -> Mail {
    let intro =
      "several persons asked to make this the email address of their Tandem accounts. If one of these accounts is yours, open its link, and no other:"
    let end =
      "Each link, or the token at its end, works once, and for 24 hours. If none of the accounts is yours, you need not do anything: without the confirmation nothing changes."
    let lines = links.map { "\(UnlinkedText($0.username).text)\n\(link)\($0.token)\n" }
    let items: HTML = links.reduce("") { html, one in
      "\(html)<li>\(UnlinkedText(one.username).text): <a href=\"\(link)\(one.token)\">Confirm the address</a></li>\n"
    }
    return Mail(
      id: id, to: address, subject: "Please confirm your new email address",
      text: MailText("Hello,\n\n\(intro)\n\n\(lines.joined(separator: "\n"))\n\(end)\n"),
      html: "<p>Hello,</p>\n<p>\(intro)</p>\n<ul>\n\(items)</ul>\n<p>\(end)</p>\n")
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
