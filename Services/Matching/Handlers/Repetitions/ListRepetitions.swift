import MatchingStore
import TTRPC
import TandemMatching

extension Repetitions {
  /// The caller's repetitions, the newest first.
  package func listRepetitions(
    _ call: ListRepetitionsRequest, _ context: CallContext
  ) async throws -> ListRepetitionsResponse {
    let found = try await database.rows(RepetitionsOf(userID: try context.userID))
    return ListRepetitionsResponse(repetitions: try found.map { try Repetition($0) })
  }
}
