import Identifiers
import IdentityDomain
import IdentityMail
import IdentityOperations
import IdentityStore

/// Composes the mail about a notification ([ID-61]). Words of other users are in its text only, and make no links there
/// ([ID-44]).
struct NotificationLetter: Sendable {
  /// The page behind the link to unsubscribe from the kind; `nil` for no link.
  let unsubscribeURL: String?
  let unsubscription: Unsubscription

  /// The mail about several notifications, of which some are counted only.
  func mail(
    _ delivery: DueDelivery, _ first: StoredNotification, with others: [StoredNotification], andMore left: Int,
    to address: MailAddress
  ) throws -> Mail {
    let all = [first] + others
    let isOneKind = all.allSatisfy { $0.kind == first.kind }
    let link = isOneKind ? try link(for: delivery.userID, first.kind) : nil
    let reason = isOneKind ? reason(for: first.kind) : "You get this one mail because there was much news for you."
    let name = UnlinkedText(delivery.username).text
    let bodies = all.map { UnlinkedText($0.body).text }
    let rest = left > 0 ? "\(left) more are in the app." : ""
    let way = link.map { "To get no more of it, open\n\($0.url)" } ?? "You can see all of it in the app."
    let text = (bodies.map { "- \($0)" } + (left > 0 ? [rest] : [])).joined(separator: "\n")
    let items: HTML = bodies.reduce("") { "\($0)<li>\($1)</li>\n" }
    return Mail(
      id: delivery.id.uuid, to: address,
      subject: isOneKind ? MailSubject(subject(of: first.kind)) : "News for you",
      text: MailText("Hello \(name),\n\n\(text)\n\n--\n\(reason)\n\(way)\n"),
      html: """
        <p>Hello \(name),</p>
        <ul>
        \(items)</ul>
        <p>\(rest)</p>
        <hr>
        <p><small>\(reason) \(markup(of: link, first.kind))</small></p>

        """, unsubscription: link)
  }

  /// The mail about one notification.
  func mail(_ delivery: DueDelivery, _ news: StoredNotification, to address: MailAddress) throws -> Mail {
    let link = try link(for: delivery.userID, news.kind)
    let reason = reason(for: news.kind)
    let (name, title) = (UnlinkedText(delivery.username).text, UnlinkedText(news.title).text)
    let body = UnlinkedText(news.body).text
    let way = link.map { "To get no more of it, open\n\($0.url)" } ?? (isFixed(news.kind) ? "" : Self.inTheApp)
    return Mail(
      id: delivery.id.uuid, to: address, subject: MailSubject(subject(of: news.kind)),
      text: MailText("Hello \(name),\n\n\(body)\n\n--\n\(reason)\n\(way)\n"),
      html: """
        <p>Hello \(name),</p>
        <p><strong>\(title)</strong></p>
        <p>\(body)</p>
        <hr>
        <p><small>\(reason) \(markup(of: link, news.kind))</small></p>

        """, unsubscription: link)
  }

  private static let inTheApp = "You can change that in the app."

  /// Whether no preference switches off the mail about a kind.
  private func isFixed(_ kind: String) -> Bool {
    NotificationKind(rawValue: kind)?.fixedChannels.contains(.mail) == true
  }

  private func markup(of link: UnsubscribeLink?, _ kind: String) -> HTML {
    guard let link else { return isFixed(kind) ? "" : "\(Self.inTheApp)" }
    return "<a href=\"\(link.url)\">Get no more of it</a>"
  }

  private func subject(of kind: String) -> String {
    NotificationKind(rawValue: kind)?.mailSubject ?? "News"
  }

  /// Mail that is on by default was not asked for.
  private func reason(for name: String) -> String {
    guard let kind = NotificationKind(rawValue: name) else {
      return "You get mail about news unless you switch it off."
    }
    if kind.fixedChannels.contains(.mail) {
      return "This mail belongs to a session that you agreed to, and is sent whatever your preferences are."
    }
    return kind.defaultChannels.contains(.mail)
      ? "You get mail about \(kind.topic) unless you switch it off."
      : "You get this mail because you asked for mail about \(kind.topic)."
  }

  private func link(for userID: UserID, _ kind: String) throws -> UnsubscribeLink? {
    guard let unsubscribeURL, let kind = NotificationKind(rawValue: kind), !kind.fixedChannels.contains(.mail) else {
      return nil
    }
    let token = try unsubscription.token(for: userID, kind)
    return UnsubscribeLink("\(unsubscribeURL)\(unsubscribeURL.contains("?") ? "&" : "?")token=\(token)")
  }
}
