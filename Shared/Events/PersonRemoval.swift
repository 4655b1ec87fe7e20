public import Identifiers
public import Postgres
import TandemEvents

/// Removes what one table keeps of a person, or makes it nobody's ([C-9]).
///
/// It runs once for each person who leaves, in the transaction in which the service notes that they have.
public protocol PersonRemoval: Statement where Row == Void {
  /// - Parameter person: the account's id.
  init(of person: UUID7)
}

extension ConsumerPlan {
  /// Removes the data of people whose accounts were deleted ([C-9]).
  public static func accountDeletions(_ removals: [any PersonRemoval.Type]) -> ConsumerPlan {
    ConsumerPlan(
      of: "identity",
      effects: [
        EventEffect(of: AccountDeleted.self) { event, tx in
          guard let person = UUID7(event.message.userID) else { throw NoPerson() }
          for removal in removals { try await remove(person, by: removal, tx) }
        }
      ])
  }

  private static func remove<R: PersonRemoval>(_ person: UUID7, by removal: R.Type, _ tx: Transaction) async throws {
    try await tx.execute(R(of: person))
  }

  /// The event names nobody.
  private struct NoPerson: Error {}
}
