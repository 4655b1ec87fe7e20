import IdentityDomain
import IdentityMail
import IdentityStore
import Identifiers

/// Composes security mail: what happened, when, from where, and what to do if it was not the owner ([ID-16]).
package struct SecurityLetter: Sendable {
  private let undoLink: String

  /// - Parameter undoLink: the page that undoes a change of the address; as ``TokenLink`` takes it.
  package init(undoLink: String) {
    self.undoLink = TokenLink.prefix(to: undoLink)
  }

  /// The mail about a notice; `nil` for a kind that this version does not know.
  ///
  /// - Parameter token: of the link that undoes the change; `nil` without such a link.
  func mail(_ delivery: DueDelivery, _ notice: SecurityNotice, token: String?, to address: MailAddress) -> Mail? {
    guard let kind = notice.kind else { return nil }
    let name = UnlinkedText(delivery.username).text
    let event = kind.event(UnlinkedText(notice.detail).text)
    let place = Self.place(of: notice)
    let advice = kind.advice
    let (undoText, undoMarkup) = token.map { undoing($0) } ?? ("", "")
    return Mail(
      id: delivery.id.uuid, to: address, subject: kind.subject,
      text: MailText(
        "Hello \(name),\n\n\(event)\n\n\(place.joined(separator: "\n"))\n\n\(advice)\n\(undoText)\n--\nThis mail is about the safety of your account and cannot be switched off.\n"
      ),
      html: """
        <p>Hello \(name),</p>
        <p>\(event)</p>
        <p>\(place[0])<br>\(place[1])</p>
        <p>\(advice)</p>\(undoMarkup)
        <hr>
        <p><small>This mail is about the safety of your account and cannot be switched off.</small></p>

        """)
  }

  private func undoing(_ token: String) -> (String, HTML) {
    let text = """

      To undo the change, open this link within 7 days:

      \(undoLink)\(token)

      If you are asked for a token, it is this:

      \(token)

      Your account gets this address back. All devices are logged out, and the password, the
      passkeys and the links to other providers are removed, because another person may know or
      have added them; another mail then has a link to choose a new password.

      """
    let markup: HTML = """

      <p><a href="\(undoLink)\(token)">Undo the change</a> within 7 days. If you are asked for a token, it is this:
      <code>\(token)</code></p>
      <p>Your account gets this address back. All devices are logged out, and the password, the passkeys and the links
      to other providers are removed, because another person may know or have added them; another mail then has a link to
      choose a new password.</p>
      """
    return (text, markup)
  }

  /// In the zone of the reader's profile; in UTC without one.
  private static func moment(of notice: SecurityNotice) -> String {
    guard let zone = notice.zone else { return "\(Message.dateAndTime(notice.occurredAt)) UTC" }
    return "\(Message.dateAndTime(notice.occurredAt + .seconds(zone.secondsFromUTC))) (\(zone))"
  }

  /// When it happened, and from where.
  private static func place(of notice: SecurityNotice) -> [String] {
    let label = UnlinkedText(notice.deviceLabel).text
    let device = label.isEmpty ? "" : ", device \"\(label)\""
    return ["When: \(moment(of: notice))", "From: address \(notice.address)\(device)"]
  }
}

extension SecurityNoticeKind {
  /// Without any text of users.
  var subject: MailSubject {
    switch self {
    case .passwordChanged, .passwordReset: "Your password was changed"
    case .passwordAdded: "A password was added to your account"
    case .usernameChanged: "Your username was changed"
    case .emailChangeRequested: "Another email address was asked for"
    case .emailReplaced, .emailChanged: "Your email address was changed"
    case .emailRestored: "Your email address was restored"
    case .passkeyAdded: "A passkey was added to your account"
    case .passkeyRemoved: "A passkey was removed from your account"
    case .identityLinked: "A way to log in was added to your account"
    case .identityUnlinked: "A way to log in was removed from your account"
    case .newDevice: "A login from a new device"
    }
  }

  /// The sentence that says what happened.
  func event(_ detail: String) -> String {
    let named = detail.isEmpty ? "" : " \"\(detail)\""
    return switch self {
    case .passwordChanged: "the password of your Tandem account was changed."
    case .passwordReset: "the password of your Tandem account was replaced, by the link in a mail to you."
    case .passwordAdded: "a password was added to your Tandem account, by the link in a mail to you."
    case .usernameChanged: "the username of your Tandem account was changed to\(named)."
    case .emailChangeRequested:
      "a person who is logged in to your Tandem account asked to change its email address to\(named). Nothing changes until the link in a mail to that address is followed."
    case .emailReplaced: "the email address of your Tandem account was changed to\(named)."
    case .emailChanged: "this is now the email address of your Tandem account, in place of\(named)."
    case .emailRestored:
      "this is the email address of your Tandem account again. All devices were logged out, and the password was removed; of passkeys and links to other providers, \(detail) were removed. Another mail has a link to choose a new password."
    case .passkeyAdded: "the passkey\(named) was added to your Tandem account. One can log in with it."
    case .passkeyRemoved: "the passkey\(named) was removed from your Tandem account."
    case .identityLinked: "a login by\(named.isEmpty ? " another provider" : named) was added to your Tandem account."
    case .identityUnlinked:
      "the login by\(named.isEmpty ? " another provider" : named) was removed from your Tandem account."
    case .newDevice: "your Tandem account was logged in to from a device that it was not logged in to from before."
    }
  }

  /// What to do if it was not the owner.
  var advice: String {
    let secure =
      "If it was not you, log out all devices in the app, choose a new password at once, and remove passkeys and providers that are not yours."
    return switch self {
    case .passwordChanged:
      "If it was not you, ask for a new password in the app at once: the link comes to this address, and all devices are logged out. Then remove passkeys and providers that are not yours."
    case .passwordReset, .passwordAdded:
      "If it was not you, another person can read your mail: change the password of your mailbox first, then ask for a new one here."
    case .emailChangeRequested: "\(secure) That also stops the change."
    case .emailReplaced: "If it was not you, undo it."
    case .emailChanged: "If it was not you, tell those who operate the service."
    case .emailRestored:
      "Please look through your account after that: username, profile, groups and devices may have been changed, too."
    case .usernameChanged, .passkeyAdded, .passkeyRemoved, .identityLinked, .identityUnlinked, .newDevice: secure
    }
  }
}
