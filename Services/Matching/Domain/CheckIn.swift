import Geography
import Identifiers

/// Check-ins at the gym ([MA-8]).
public enum CheckIn {
  /// How long before and after the start, both ends inclusive.
  public static let margin: Duration = .seconds(15 * 60)
  /// The farthest from the gym, beside the fix's accuracy ([TR-7]).
  public static let reach = Metres(10)
  /// The worst accuracy of a fix.
  public static let worstAccuracy = Metres(25)
  /// How long missing a check-in bars ([MA-10]).
  public static let bar: Duration = .seconds(72 * 3_600)

  /// When a session is judged: the first moment at which nobody can check in.
  public static func judgement(of start: Instant) -> Instant { start + margin + grace }

  /// So long a check-in of the last moment may take from its arrival to the lock by which its judgement waits for it.
  private static let grace: Duration = .milliseconds(500)

  /// What a check-in does ([MA-9]).
  public enum Effect: Sendable, Hashable {
    /// The first one of the session: the partner is told.
    case first(partner: UserID)
    /// The second one: the session is successful.
    case second(partner: UserID)
  }

  /// Decides whether a check-in counts, and what it does.
  ///
  /// - Parameters:
  ///   - area: how far the gym reaches.
  ///   - accuracy: the radius of the fix.
  ///   - now: when the request arrived.
  /// - Returns: `nil` if the user has checked in before.
  public static func decide(
    _ session: SessionFacts, in area: GymArea, by user: UserID, at point: GeoPoint, accuracy: Metres, now: Instant
  ) throws(SessionRefusal) -> Effect? {
    guard session.hasParticipant(user) else { throw .noSuchSession }
    if session.checkedIn.contains(user) { return nil }
    switch session.state {
    case .matched: break
    case .open: throw .notMatched
    case .successful, .failed, .lapsed, .cancelled: throw .over
    }
    guard session.slot.start - margin <= now, now <= session.slot.start + margin else { throw .outsideCheckInWindow }
    guard accuracy <= worstAccuracy else { throw .tooInaccurate }
    let distance = area.distance(to: point)
    guard distance.value - accuracy.value <= reach.value else { throw .tooFar(distance) }
    guard let partner = session.other(than: user) else { throw .notMatched }
    return session.checkedIn.contains(partner) ? .second(partner: partner) : .first(partner: partner)
  }
}

/// The service's own heartbeat, by which outages are known ([MA-10]).
public enum Heartbeat {
  /// How often a replica beats.
  public static let interval: Duration = .seconds(5)
  /// The longest time between two beats that is no outage. Restarts and short pauses stay below it.
  public static let maxGap: Duration = .seconds(30)
  /// Sessions are judged with the outages of this long: after it the oldest have long been judged.
  public static let kept: Duration = .seconds(90 * 86_400)
}
