import MatchingStore
import TTRPC
import TandemMatching

extension WaitingLists {
  /// The sessions that the caller waits for.
  package func listMyWaiting(_ call: ListMyWaitingRequest, _ context: CallContext) async throws -> ListMyWaitingResponse
  {
    let user = try context.userID
    let entries = try await database.rows(WaitingListsOf(userID: user, now: environment.clock.now))
    return ListMyWaitingResponse(entries: entries.map { WaitingListEntry($0) })
  }
}
