import Geography
import Identifiers

/// Which sessions a user looks for ([MA-3]); what is `nil` or empty admits all.
package struct SessionFilter: Sendable {
  package var since: Instant?
  package var until: Instant?
  package var gymID: GymID?
  package var point: GeoPoint?
  package var radius = GeoPoint.farthest
  package var focuses: [Focus] = []
  package var genders: [Gender] = []
  package var levels: [Level] = []

  package init() {}

  /// Whether it asks for nothing.
  package var isEmpty: Bool {
    since == nil && until == nil && gymID == nil && point == nil && focuses.isEmpty && genders.isEmpty
      && levels.isEmpty
  }
}
