import CatalogDomain
import CatalogOperations
import CatalogStore
import FieldViolations
import Identifiers
import Pagination
import TTRPC
import TandemCatalog
import Timestamps

extension Workouts {
  /// A page of the caller's progress in an exercise ([CA-14], [C-5]).
  package func getExerciseProgress(
    _ call: GetExerciseProgressRequest, _ context: CallContext
  ) async throws -> GetExerciseProgressResponse {
    let owner = try context.userID
    var bad = Violations()
    let asked = bad.exerciseID(call.exerciseID)
    let by = MaximumFormula(call.formula) ?? .epley
    let page = try pages.page(of: call, context, &bad, by: Instant.self, WorkoutLogID.self)
    let id = try bad.all(asked)
    let progress = try await operations.getExerciseProgress(
      in: id, of: owner, by: by, after: page.after, limit: page.limit)
    let (exercise, totals) = (progress.exercise, progress.totals)
    let (rows, next) = try page.cut(progress.occasions) { ($0.startedAt, $0.logID) }
    return GetExerciseProgressResponse(
      exerciseID: exercise.id.description, exerciseName: exercise.name, formula: by.wire, formulaName: by.rawValue,
      total: progress.best.flatMap { best in totals.map { ExerciseResult($0, best) } },
      occasions: Int32(clamping: totals?.occasions ?? 0),
      history: rows.map { row in
        ExerciseOccasion(
          logID: row.logID.description, startTime: row.startedAt.timestamp, result: ExerciseResult(row.sets, by: by))
      }, nextPageToken: next)
  }
}

extension ExerciseResult {
  fileprivate init(_ totals: ExerciseTotals.Row, _ best: (set: PerformedSet, estimate: Double?)) {
    self.init(
      sets: Int32(clamping: totals.sets), reps: Int32(clamping: totals.reps), volumeKg: Double(totals.volume) / 1_000,
      bestSet: best.set.wire, oneRepetitionMaximumKg: best.estimate)
  }

  fileprivate init(_ sets: [PerformedSet], by formula: MaximumFormula) {
    let best = formula.best(of: sets)
    self.init(
      sets: Int32(clamping: sets.count), reps: sets.reduce(0) { $0 + $1.reps },
      volumeKg: Double(sets.reduce(0) { $0 + $1.volume }) / 1_000, bestSet: best?.set.wire,
      oneRepetitionMaximumKg: best?.estimate)
  }
}
