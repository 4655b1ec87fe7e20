import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Finishes a successful session at its end that no participant has finished, so that each counts once it has lasted ([MA-11]).
  ///
  /// - Returns: how long it still lasts; `nil` if there is nothing left to do.
  package func finishEndedSession(_ id: SessionID, _ tx: Transaction) async throws -> Duration? {
    guard let session = try await lockedIfThere(id, tx), session.facts.isUnfinished else { return nil }
    let left = session.slot.end - (try await transitions.trustedNow(tx))
    guard left <= .zero else { return left }
    try await transitions.finish(session, at: environment.clock.now, tx)
    return nil
  }
}
