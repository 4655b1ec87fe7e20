import Environment
import FieldViolations
import Identifiers
import Postgres
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

/// Journeys, SOS alerts and paths; each method is in its own file.
package struct Journeys: JourneysService {
  let database: Database
  let environment: Environment
  let trackers: Trackers

  package init(database: Database, environment: Environment, trackers: Trackers) {
    self.database = database
    self.environment = environment
    self.trackers = trackers
  }

  /// Lets a user do something, in one transaction; returns the journey or alert that `step` names.
  func change(
    of user: UserID, _ step: (inout Tracker, Transaction) async throws -> JourneyID
  ) async throws -> Journey {
    let id = try await database.repeatableTransaction { tx in
      guard var tracker = try await trackers.locked(user, tx) else { throw Status.notAUser }
      let id = try await step(&tracker, tx)
      try await trackers.store([tracker], tx)
      return id
    }
    return try await journey(id, seenBy: user)
  }

  /// A journey or alert that a user may see ([TR-11]).
  func journey(_ id: JourneyID, seenBy user: UserID) async throws -> Journey {
    guard let row = try await database.first(JourneySeenBy(viewerID: user, journeyID: id)) else {
      throw Status.noSuchJourney
    }
    return Journey(row.journey, seenIn: row.groupIDs)
  }
}

extension Status {
  static let noSuchJourney = Status(TrackingReason.journeyNotFound, "There is no such journey")
}

extension Violations {
  /// Parses the id of a journey or alert.
  mutating func journeyID(_ text: String) -> JourneyID? {
    require("journey_id", JourneyID(text), "This is not the id of a journey", TrackingReason.journeyIDInvalid)
  }
}
