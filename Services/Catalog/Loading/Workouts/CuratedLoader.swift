import Environment
import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

/// Loads curated workouts from a file in the suite's own format ([CA-11]): a JSON array of workouts, whose exercises must be loaded before.
/// A load is atomic, and repeating it changes nothing.
package struct CuratedLoader: Sendable {
  /// Longer records are bad.
  private static let maxRecordLength = 1 << 20
  /// Curated workouts are written by hand: a file with more is something else.
  private static let maxRecords = 10_000

  private let collection: ExerciseCollection
  private let environment: Environment
  private let report: @Sendable (BadRecord) -> Void

  /// - Parameters:
  ///   - collection: `samples` for the workouts that come with the program, whose keys no file's workout can have; else the operator's
  ///     own. Exercises that an entry names by their id alone are of it.
  ///   - environment: of the ids and times of new workouts.
  ///   - report: called for each bad record.
  package init(
    of collection: ExerciseCollection = .tandem, environment: Environment,
    report: @escaping @Sendable (BadRecord) -> Void
  ) {
    self.collection = collection
    self.environment = environment
    self.report = report
  }

  /// Loads the chunks of `nextChunk` until it returns nil.
  ///
  /// - Throws: ``UnusableFile``; ``PostgresError``; errors of `nextChunk`.
  package func load(over connection: BulkConnection, _ nextChunk: () throws -> [UInt8]?) async throws -> LoadOutcome {
    // An error closes the connection, which rolls everything back.
    try await connection.run("begin")
    try await connection.run(CuratedStaging.lock)
    try await connection.run(CuratedStaging.create)
    let exercises = try await exercises(over: connection)
    var outcome = LoadOutcome()
    var staged = StagedWorkouts(of: collection, exercises: exercises, environment: environment)
    var feed = RecordFeed(JSONArrayBuffer(longest: Self.maxRecordLength))
    while let pieces = try feed.next(nextChunk) {
      for piece in pieces { take(piece, &staged, &outcome) }
      guard outcome.records <= Self.maxRecords else {
        throw UnusableFile(reason: "it has more than \(Self.maxRecords) workouts")
      }
    }
    try await merge(staged, over: connection, &outcome)
    try await connection.run("commit")
    return outcome
  }

  private func take(_ piece: RecordBuffer.Piece, _ staged: inout StagedWorkouts, _ outcome: inout LoadOutcome) {
    outcome.records += 1
    do throws(ExerciseFlaw) {
      switch piece.content {
      case .bad(let reason): throw ExerciseFlaw(reason)
      case .record(let text): try staged.append(CuratedRecord(text), line: piece.line)
      }
    } catch {
      outcome.bad += 1
      report(BadRecord(line: piece.line, reason: error.reason))
    }
  }

  private func exercises(over connection: BulkConnection) async throws -> [String: StagedWorkouts.Exercise] {
    var known: [String: StagedWorkouts.Exercise] = [:]
    for row in try await connection.run(CuratedStaging.exercises) {
      guard let source = row[0], let sourceID = row[1], let id = row[2].flatMap({ UUID7($0) }) else { continue }
      let groups = (row[4] ?? "").split(separator: CuratedStaging.separator)
      known["\(source):\(sourceID)"] = StagedWorkouts.Exercise(
        id: id, name: row[3] ?? "", groups: groups.compactMap { MuscleGroup(rawValue: String($0)) })
    }
    return known
  }

  private func merge(
    _ staged: StagedWorkouts, over connection: BulkConnection, _ outcome: inout LoadOutcome
  ) async throws {
    guard staged.count > 0 else { return }
    try await connection.copy(CuratedStaging.copyWorkouts, staged.workouts.bytes)
    try await connection.copy(CuratedStaging.copyEntries, staged.entries.bytes)
    try await connection.run(CuratedStaging.removeUnchanged)
    let counts = try await connection.run(CuratedStaging.merge).first ?? []
    let numbers = counts.map { $0.flatMap { Int($0) } ?? 0 }
    guard numbers.count == 2 else { preconditionFailure("a merge counts two things") }
    (outcome.added, outcome.changed) = (numbers[0], numbers[1])
    outcome.unchanged = staged.count - numbers[0] - numbers[1]
    try await connection.run(CuratedStaging.clearEntries)
    try await connection.run(CuratedStaging.putEntries)
  }
}

/// Curated workouts that are about to be sent to the temporary tables of a load.
private struct StagedWorkouts {
  /// An exercise that entries may name.
  struct Exercise {
    let id: UUID7
    let name: String
    let groups: [MuscleGroup]
  }

  let collection: ExerciseCollection
  let exercises: [String: Exercise]
  let environment: Environment
  private(set) var workouts = CopyRows()
  private(set) var entries = CopyRows()
  /// The line on which each key occurs first.
  private var lines: [String: Int] = [:]

  init(of collection: ExerciseCollection, exercises: [String: Exercise], environment: Environment) {
    self.collection = collection
    self.exercises = exercises
    self.environment = environment
  }

  var count: Int { lines.count }

  mutating func append(_ record: CuratedRecord, line: Int) throws(ExerciseFlaw) {
    if let first = lines[record.key] { throw ExerciseFlaw("the id \(record.key) is on line \(first) already") }
    guard !record.key.hasPrefix(CuratedStaging.samplePrefix) else {
      throw ExerciseFlaw("ids that begin with \(CuratedStaging.samplePrefix) are those of samples")
    }
    var found: [Exercise] = []
    for entry in record.entries {
      let name = entry.exercise.contains(":") ? entry.exercise : "\(collection.rawValue):\(entry.exercise)"
      guard let exercise = exercises[name] else {
        throw ExerciseFlaw("its exercise \(entry.exercise.prefix(100)) was not loaded")
      }
      found.append(exercise)
    }
    lines[record.key] = line
    let planned = zip(record.entries, found).map { PlannedEntry(newID(), $1.id, $0.target) }
    let groups = Set(found.flatMap(\.groups))
    let plan = WorkoutPlan(
      name: record.name, description: record.description,
      muscleGroups: record.muscleGroups.isEmpty ? MuscleGroup.allCases.filter(groups.contains) : record.muscleGroups,
      stored: planned)
    append(plan, record, exercises: found.map { ($0.name, $0.groups) })
  }

  private mutating func append(
    _ plan: WorkoutPlan, _ record: CuratedRecord, exercises: [(name: String, groups: [MuscleGroup])]
  ) {
    let search = WorkoutSearchText(plan, exercises: exercises)
    let key = collection == .samples ? CuratedStaging.samplePrefix + record.key : record.key
    workouts.append(newID().description)
    workouts.append(key)
    workouts.append(plan.name.text)
    workouts.append(plan.description?.text ?? "")
    workouts.append(record.level?.rawValue ?? "")
    workouts.append(plan.muscleGroups.map(\.rawValue))
    workouts.append(search.trained.map(\.rawValue))
    workouts.append(search.vector)
    workouts.append(search.names)
    workouts.append("\(environment.clock.now)")
    workouts.endRow()
    for (entry, place) in zip(plan.entries, 1...) {
      entries.append(entry.id.description)
      entries.append(key)
      entries.append(Int64(place))
      entries.append(entry.exercise.description)
      entries.append(Int64(entry.target.sets))
      entries.append(Int64(entry.target.reps))
      entries.append(Int64(entry.target.duration))
      entries.append(entry.target.weight.map { Int64($0.grams) })
      entries.append(Int64(entry.target.rest))
      entries.append(entry.target.note?.text ?? "")
      entries.endRow()
    }
  }

  private func newID() -> UUID7 { environment.randomness.uuid7(at: environment.clock.now) }
}
