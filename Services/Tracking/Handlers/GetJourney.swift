import FieldViolations
import TTRPC
import TandemTracking

extension Journeys {
  /// A journey or alert that the caller may see ([TR-11]).
  package func getJourney(_ call: GetJourneyRequest, _ context: CallContext) async throws -> Journey {
    let user = try context.userID
    var bad = Violations()
    let journeyID = bad.journeyID(call.journeyID)
    return try await journey(try bad.all(journeyID), seenBy: user)
  }
}
