import CatalogDomain
import CatalogOperations
import FieldViolations
import Idempotency
import Identifiers
import LinkMisses
import TTRPC
import TandemCatalog

extension Workouts {
  /// Saves a copy of a curated workout, a shared one or one of the caller's as a workout of the caller ([CA-11], [CA-15]).
  package func saveAsPersonal(_ call: SaveAsPersonalRequest, _ context: CallContext) async throws -> Workout {
    let owner = try context.userID
    let copy = try WantedCopy(call)
    let execution = IdempotencyStore.Execution(validateOnly: call.validateOnly)
    do {
      return try await idempotency.execute(call, context.requestKey(copy.requestID), execution) { tx in
        Workout(try await operations.saveAsPersonal(copy.source, named: copy.name, for: owner, tx))
      }
    } catch ShareRefusal.noSuchShare {
      // The transaction is rolled back, so the miss is counted outside of it.
      try await misses.count(context)
      throw ShareRefusal.noSuchShare
    }
  }
}

/// The parsed request.
private struct WantedCopy {
  let source: CopySource
  /// `nil` for the name of the original.
  let name: WorkoutName?
  let requestID: UUID7?

  init(_ call: SaveAsPersonalRequest) throws {
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    name = call.name.isEmpty ? nil : bad.workoutName(call.name, "name")
    var source: CopySource?
    switch call.source {
    case .workoutID(let text): source = bad.workoutID(text).map { .workout($0) }
    case .shareToken(let text): source = .link(secretHash: Workouts.hash(ofToken: text))
    case nil: bad.add("source", "A workout or the secret of a link is needed", CatalogReason.sourceRequired)
    }
    self.source = try bad.all(source)
  }
}
