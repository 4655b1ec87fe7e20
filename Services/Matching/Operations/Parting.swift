import Identifiers

/// Two users of whom one has blocked the other: they do not train with each other any more ([C-10]).
package struct Parting: Sendable, Hashable {
  package let blocker: UserID
  package let blocked: UserID
  package let consequence: Consequence

  /// What leaving a session by the block means for the blocker ([MA-7]).
  package enum Consequence: Sendable, Hashable {
    /// Nothing, as it is not known when the block was made.
    case none
    /// A bar, as a cancellation at the time of the block would.
    case bars(from: Instant)
    /// Nothing, as the blocker has reported the other; a bar for the block at that time is lifted.
    case excused(at: Instant)
  }

  package init(of blocked: UserID, by blocker: UserID, _ consequence: Consequence) {
    (self.blocker, self.blocked, self.consequence) = (blocker, blocked, consequence)
  }

  /// What identifies the two, and who has blocked whom.
  var key: String { "\(blocker)/\(blocked)" }

  /// The payload of a job: the key, and behind slashes the time of the block in microseconds since 1970, if it is known, and that the blocker is
  /// excused.
  var payload: String {
    switch consequence {
    case .none: key
    case .bars(let moment): "\(key)/\(moment.microseconds)"
    case .excused(let moment): "\(key)/\(moment.microseconds)/\(Self.excused)"
    }
  }

  private static let excused = "excused"

  /// `nil` for a text that is no payload.
  package init?(payload: String) {
    let parts = payload.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard (2...4).contains(parts.count), let blocker = UserID(parts[0]), let blocked = UserID(parts[1]) else {
      return nil
    }
    guard parts.count > 2 else {
      self.init(of: blocked, by: blocker, .none)
      return
    }
    guard let time = Int64(parts[2]) else { return nil }
    let moment = Instant(microseconds: time)
    guard parts.count > 3 else {
      self.init(of: blocked, by: blocker, .bars(from: moment))
      return
    }
    guard parts[3] == Self.excused else { return nil }
    self.init(of: blocked, by: blocker, .excused(at: moment))
  }
}
