import Identifiers
import MatchingDomain
import MatchingStore
import Postgres

extension SessionOperations {
  /// Lifts the bars for a block of a blocker who is excused, as they have reported the other ([MA-7]). The transaction has locked the users'
  /// rows.
  package func excuseBlocker(_ parting: Parting, _ tx: Transaction) async throws {
    guard case .excused(let moment) = parting.consequence else { return }
    try await tx.execute(
      LiftBarsOfBlock(
        now: try await transitions.trustedNow(tx), blockerID: parting.blocker, blockedAt: moment,
        blockedID: parting.blocked))
  }
}
