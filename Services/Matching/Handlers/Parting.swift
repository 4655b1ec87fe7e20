import Identifiers

/// Two users of whom one has blocked the other: they do not train with each other any more ([C-10]).
package struct Parting: Sendable, Hashable {
  let blocker: UserID
  let blocked: UserID
  /// When the block was made, if leaving by it bars as a cancellation then would ([MA-7]); `nil` where that is not known.
  let barsFrom: Instant?

  /// - Parameter moment: when the block was made; `nil` where that is not known, so that nobody is barred.
  package init(of blocked: UserID, by blocker: UserID, barringFrom moment: Instant?) {
    (self.blocker, self.blocked, barsFrom) = (blocker, blocked, moment)
  }

  /// What identifies the two, and who has blocked whom.
  var key: String { "\(blocker)/\(blocked)" }

  /// The payload of a job: the key, and behind a slash the time in microseconds since 1970, if there is one.
  var payload: String { barsFrom.map { "\(key)/\($0.microseconds)" } ?? key }

  /// `nil` for a text that is no payload.
  init?(payload: String) {
    let parts = payload.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard (2...3).contains(parts.count), let blocker = UserID(parts[0]), let blocked = UserID(parts[1]) else {
      return nil
    }
    let times = parts.dropFirst(2).compactMap { Int64($0) }
    guard times.count == parts.count - 2 else { return nil }
    self.init(of: blocked, by: blocker, barringFrom: times.first.map { Instant(microseconds: $0) })
  }
}
