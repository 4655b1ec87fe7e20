import IdentityDomain
import Identifiers

/// A notification for one user.
package struct Notice: Sendable {
  package let recipient: UserID
  /// The event that the user is notified of.
  package let news: News
  /// The source of the notice, such as the event's id, by which duplicates are recognised.
  package let source: SourceKey
  /// The object that it concerns, as a path of words and ids.
  package let subject: String

  private static let maxSubjectLength = 200

  /// The welcome to a user whose account was just verified ([ID-65]).
  package static func welcome(_ user: UserID) -> Notice {
    Notice(.welcome, to: user, because: .welcome, about: "profiles/\(user)")
  }

  /// - Parameter subject: such as `groups/019bc186-de00-7000-8080-000000000000`; truncated to 200 characters.
  package init(_ news: News, to recipient: UserID, because source: SourceKey, about subject: String = "") {
    self.recipient = recipient
    self.news = news
    self.source = source
    self.subject = String(String.UnicodeScalarView(subject.unicodeScalars.prefix(Self.maxSubjectLength)))
  }
}
