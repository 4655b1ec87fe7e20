/// Why a journey cannot be started, or is not found.
public enum JourneyRefusal: Error, Sendable, Hashable {
  /// The user sees no such journey or alert.
  case noSuchJourney
  /// The user has started too many lately; `wait` is how long to.
  case tooManyJourneys(wait: Duration)
}
