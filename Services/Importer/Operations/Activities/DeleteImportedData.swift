import Identifiers
import ImporterDomain
import ImporterStore
import Postgres

extension ActivityOperations {
  /// What a deletion of a user's records has done so far.
  package struct Deletion: Sendable {
    /// Activities that are gone.
    package fileprivate(set) var deleted = 0
    private(set) fileprivate var touched: Set<ActivityID> = []
    fileprivate var isBegun = false

    package init() {}

    /// Activities that lost a source and stay.
    package var changed: Int { touched.count }

    fileprivate mutating func note(gone: Set<ActivityID>, left: [ActivityID]) {
      deleted += gone.count
      touched.subtract(gone)
      touched.formUnion(left)
    }
  }

  /// Deletes a part of what a provider reported of a user, or with `nil` of all that was imported; false once nothing is left. Providers
  /// that are connected do not bring it back.
  ///
  /// A part takes a fraction of a statement's time; nothing else changes the user's records while one is deleted.
  package func deleteImportedData(
    by provider: String?, of user: UserID, _ deletion: inout Deletion, _ tx: Transaction
  ) async throws -> Bool {
    try await lock(user, tx)
    let now = environment.clock.now
    if !deletion.isBegun {
      try await tx.execute(NoteDeletedProviders(userID: user, now: now, provider: provider))
      try await tx.execute(NoteDeletion(now: now, userID: user, provider: provider))
    }
    deletion.isBegun = true
    let touched = Set(try await tx.rows(DeleteSomeSources(of: user, by: provider, remembered: now)))
    guard touched.isEmpty else {
      let gone = Set(try await tx.rows(DeleteActivitiesWithoutSource(activityIDs: touched.sorted())))
      try await publishRemoved(Array(gone), of: user, tx)
      let left = touched.subtracting(gone).sorted()
      try await refresh(left, of: user, tx)
      deletion.note(gone: gone, left: left)
      return true
    }
    var rows = RecordPart.rows
    rows -= Int64(try await tx.rows(DeleteSomeSteps(userID: user, provider: provider, limit: rows)).count)
    rows -= Int64(try await tx.rows(DeleteSomeSleeps(userID: user, provider: provider, limit: rows)).count)
    rows -= Int64(try await tx.rows(DeleteSomeWeights(userID: user, provider: provider, limit: rows)).count)
    return rows == 0
  }
}
