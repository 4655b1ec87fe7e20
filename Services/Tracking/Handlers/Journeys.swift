import Environment
import Events
import Postgres
import TTRPC
import TandemTracking
import TrackingDomain
import TrackingStore

// The contract has types of the same names; in this module the names mean the domain's.
typealias MemberState = TrackingDomain.MemberState
typealias JourneyKind = TrackingDomain.JourneyKind
typealias JourneyOutcome = TrackingDomain.JourneyOutcome
typealias TravelMode = TrackingDomain.TravelMode

/// Journeys, SOS alerts and paths; each method is in its own file.
package struct Journeys: JourneysService {
  let database: Database
  let environment: Environment
  let changes: GroupChanges

  package init(database: Database, environment: Environment, changes: GroupChanges) {
    self.database = database
    self.environment = environment
    self.changes = changes
  }

  package func startJourney(_ call: StartJourneyRequest, _ context: CallContext) async throws -> Journey {
    throw Status(.unimplemented, "")
  }
  package func stopJourney(_ call: StopJourneyRequest, _ context: CallContext) async throws -> Journey {
    throw Status(.unimplemented, "")
  }
  package func getJourney(_ call: GetJourneyRequest, _ context: CallContext) async throws -> Journey {
    throw Status(.unimplemented, "")
  }
  package func startSOS(_ call: StartSOSRequest, _ context: CallContext) async throws -> Journey {
    throw Status(.unimplemented, "")
  }
  package func stopSOS(_ call: StopSOSRequest, _ context: CallContext) async throws -> Journey {
    throw Status(.unimplemented, "")
  }
}
