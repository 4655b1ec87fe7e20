import CatalogDomain
import CatalogOperations
import CatalogStore
import FieldViolations
import Timestamps
import struct GoogleProtobuf.Timestamp
import Idempotency
import Identifiers
import TTRPC
import TandemCatalog

extension Workouts {
  /// Stores a workout that the caller performed ([CA-14]).
  package func logWorkout(_ call: LogWorkoutRequest, _ context: CallContext) async throws -> WorkoutLog {
    let owner = try context.userID
    let new = try await NewLog(call, now: environment.clock.now) { new, bad in
      try await addUnknown(new.named, to: &bad)
      try await addUnknown(new.workout, of: owner, to: &bad)
    }
    return try await idempotency.execute(
      call, context.requestKey(new.requestID), .init(validateOnly: call.validateOnly)
    ) {
      (tx) in
      try await naming(new.named) {
        let (stored, sets) = try await operations.logWorkout(new.performed, of: owner, tx)
        return WorkoutLog(stored, sets)
      }
    }
  }

  /// Adds a workout that the user may not see to a request's other bad fields, so that all are named at once ([C-2]).
  private func addUnknown(_ id: WorkoutID?, of user: UserID, to bad: inout Violations) async throws {
    guard !bad.isEmpty, let id, try await database.first(WorkoutByID(workoutID: id, viewerID: user)) == nil else {
      return
    }
    bad.addUnknownWorkout()
  }
}

/// The parsed request.
private struct NewLog {
  /// How far a device's clock may be ahead.
  private static let clockTolerance: Duration = .seconds(60)
  private static let maxDuration: Duration = .seconds(24 * 3_600)
  /// The oldest time of a log.
  private static let earliest: Duration = .seconds(50 * 366 * 24 * 3_600)

  let performed: PerformedWorkout
  let named: [NamedExercise]
  let requestID: UUID7?

  /// What a log names.
  typealias Named = (workout: WorkoutID?, named: [NamedExercise])

  /// - Parameter judge: adds the fields that name an unknown workout or unknown exercises, if there are other bad fields.
  init(
    _ call: LogWorkoutRequest, now: Instant, judging judge: (Named, inout Violations) async throws -> Void
  ) async throws {
    let log = call.log ?? WorkoutLog()
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    let workout = log.workoutID.isEmpty ? nil : bad.workoutID(log.workoutID, "log.workout_id")
    let name = log.name.isEmpty && !log.workoutID.isEmpty ? nil : bad.workoutName(log.name, "log.name")
    let note = bad.workoutDescription(log.note, "log.note", CatalogReason.noteInvalid)
    let times = Self.times(log, now, &bad)
    let read = Self.exercises(log.exercises, &bad)
    try await judge((workout, read.named), &bad)
    let (start, end) = try bad.all(times)
    performed = PerformedWorkout(of: workout, named: name, note, from: start, to: end, read.sets)
    named = read.named
  }

  private static func times(_ log: WorkoutLog, _ now: Instant, _ bad: inout Violations) -> (Instant, Instant?)? {
    guard let given = log.startTime else {
      bad.add("log.start_time", "The time when it began is missing", CatalogReason.startTimeRequired)
      return nil
    }
    let latest = now + clockTolerance
    let start = Instant(valid: given).flatMap { $0 <= latest && now - $0 <= earliest ? $0 : nil }
    let checked = bad.require(
      "log.start_time", start, "It began at most 50 years ago, and not in the future", CatalogReason.timeInvalid)
    guard let ended = log.endTime else { return checked.map { ($0, nil) } }
    let end = Instant(valid: ended).flatMap { end in
      (start.map { end >= $0 && end - $0 <= maxDuration } ?? true) && end <= latest ? end : nil
    }
    let checkedEnd = bad.require(
      "log.end_time", end, "It ended at most 24 h after it began, and not in the future", CatalogReason.timeInvalid)
    guard let checked, let checkedEnd else { return nil }
    return (checked, checkedEnd)
  }

  private static func exercises(
    _ exercises: [LoggedExercise], _ bad: inout Violations
  ) -> (sets: [(exercise: ExerciseID, performed: PerformedSet)], named: [NamedExercise]) {
    guard !exercises.isEmpty, exercises.allSatisfy({ !$0.sets.isEmpty }) else {
      bad.add("log.exercises", "Exercises are needed, each with a set", CatalogReason.exercisesRequired)
      return ([], [])
    }
    guard exercises.reduce(0, { $0 + $1.sets.count }) <= PerformedSet.maxOfLog else {
      bad.add("log.exercises", "A log has at most \(PerformedSet.maxOfLog) sets", CatalogReason.tooManySets)
      return ([], [])
    }
    var sets: [(exercise: ExerciseID, performed: PerformedSet)] = []
    var named: [NamedExercise] = []
    for (place, exercise) in exercises.enumerated() {
      let field = "log.exercises[\(place)].exercise_id"
      let id = bad.exerciseID(exercise.exerciseID, field)
      if let id { named.append((field, id)) }
      for (number, set) in exercise.sets.enumerated() {
        let performed = bad.performedSet(set, "log.exercises[\(place)].sets[\(number)]")
        if let id, let performed { sets.append((id, performed)) }
      }
    }
    return (sets, named)
  }
}

extension Violations {
  fileprivate mutating func performedSet(_ set: LoggedSet, _ field: String) -> PerformedSet? {
    let (reps, duration) = (reps(set.reps, "\(field).reps"), duration(set.durationS, "\(field).duration_s"))
    let weight = weight(set.weightKg, "\(field).weight_kg")
    guard set.reps != 0 || set.durationS != 0 else {
      addRepsRequired("\(field).reps")
      return nil
    }
    guard let reps, let duration, let weight else { return nil }
    return PerformedSet(reps: reps, weight: weight, duration: duration)
  }
}

extension WorkoutLog {
  /// A log with its sets; consecutive sets of one exercise are grouped.
  init(_ stored: StoredWorkoutLog, _ sets: [SetsOfLogs.Row]) {
    var exercises: [LoggedExercise] = []
    for set in sets {
      let id = set.exerciseID.description
      if exercises.last?.exerciseID != id {
        exercises.append(LoggedExercise(exerciseID: id, exerciseName: set.exerciseName))
      }
      exercises[exercises.count - 1].sets.append(set.performed.wire)
    }
    self.init(
      logID: stored.id.description, workoutID: stored.workoutID?.description ?? "", name: stored.name,
      startTime: stored.startedAt.timestamp, endTime: stored.endedAt?.timestamp, note: stored.note,
      exercises: exercises, volumeKg: Double(sets.reduce(0) { $0 + $1.performed.volume }) / 1_000,
      createTime: stored.createdAt.timestamp)
  }
}
