import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Lifts a bar, and keeps who did and why ([MA-14]); one that was lifted before, or does not exist, stays as it is.
  package func liftBar(
    _ id: BarID, because reason: LiftReason, by actor: OperatorName, _ tx: Transaction
  ) async throws {
    _ = try await tx.first(
      LiftStoredBar(now: environment.clock.now, barID: id, actor: actor.text, reason: reason.text))
  }
}
