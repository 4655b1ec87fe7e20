import Identifiers

/// The reminder of a matched session ([MA-12]).
package enum SessionReminder {
  /// How long before the start.
  package static let notice: Duration = .seconds(3_600)

  /// When the participants of a session are reminded that starts at `start`; `nil` if that has passed at `now`: those of a match that comes
  /// later are told at once.
  package static func moment(before start: Instant, at now: Instant) -> Instant? {
    start - notice > now ? start - notice : nil
  }
}
