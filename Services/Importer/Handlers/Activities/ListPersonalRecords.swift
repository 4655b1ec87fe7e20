import ImporterDomain
import ImporterStore
import TTRPC
import TandemImporter
import Timestamps

extension Activities {
  /// The caller's personal records by sport, kind and distance ([IM-11]).
  package func listPersonalRecords(
    _ call: ListPersonalRecordsRequest, _ context: CallContext
  ) async throws -> ListPersonalRecordsResponse {
    let (user, sport) = (try context.userID, Sport(call.sport))
    let fastest = try await database.rows(FastestEfforts(userID: user, sport: sport)).map {
      PersonalRecord(
        sport: $0.sport.wire, kind: .fastest, distanceM: $0.distanceM, durationS: $0.durationS,
        activityID: $0.id.description, startTime: $0.startedAt.timestamp)
    }
    let farthest = try await database.rows(FarthestActivities(userID: user, sport: sport)).map {
      PersonalRecord(
        sport: $0.sport.wire, kind: .farthest, distanceM: $0.distanceM, durationS: $0.durationS,
        activityID: $0.id.description, startTime: $0.startedAt.timestamp)
    }
    let longest = try await database.rows(LongestActivities(userID: user, sport: sport)).map {
      PersonalRecord(
        sport: $0.sport.wire, kind: .longest, distanceM: $0.distanceM, durationS: $0.durationS,
        activityID: $0.id.description, startTime: $0.startedAt.timestamp)
    }
    let records = (fastest + farthest + longest).sorted {
      ($0.sport.rawValue, $0.kind.rawValue, $0.distanceM) < ($1.sport.rawValue, $1.kind.rawValue, $1.distanceM)
    }
    return ListPersonalRecordsResponse(records: records)
  }
}
