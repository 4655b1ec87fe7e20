import Identifiers

/// What a cancellation does ([MA-6], [MA-7]).
public enum Cancellation: Sendable, Hashable {
  /// The unmatched session is removed.
  case remove(barredUntil: Instant?)
  /// The user leaves; the session is the other participant's and open again.
  case leave(to: UserID, barredUntil: Instant?)

  /// Less notice than this is late; exactly this much is not.
  public static let notice: Duration = .seconds(60 * 60)
  /// How long a late cancellation bars.
  public static let bar: Duration = .seconds(24 * 3_600)

  /// Decides what a participant's cancellation does.
  public static func decide(_ session: SessionFacts, by user: UserID, at now: Instant) throws(SessionRefusal)
    -> Cancellation
  {
    guard session.hasParticipant(user) else { throw .noSuchSession }
    guard session.checkedIn.isEmpty else { throw .checkedIn }
    guard session.state == .open || session.state == .matched else { throw .over }
    guard now < session.slot.start else { throw .started }
    let barredUntil = session.slot.start - now < notice ? now + bar : nil
    guard session.state == .matched, let other = session.other(than: user) else {
      return .remove(barredUntil: barredUntil)
    }
    return .leave(to: other, barredUntil: barredUntil)
  }

  /// Whether it counts as a session that the user missed: a partner was left too late ([MA-7]).
  public var isMissed: Bool {
    if case .leave(_, let end) = self { end != nil } else { false }
  }

  /// Until when the user is barred by it.
  public var barredUntil: Instant? {
    switch self {
    case .remove(let end), .leave(_, let end): end
    }
  }
}
