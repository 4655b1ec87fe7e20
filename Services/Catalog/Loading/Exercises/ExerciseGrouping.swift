import Environment
import CatalogDomain
import CatalogStore
import Identifiers
import Postgres

/// Recomputes the exercises from all records, within the transaction of a load.
///
/// An exercise keeps its id while one of its records exists. If several exercises turn out to be one, it gets the oldest id, and the other
/// ids redirect to it.
struct ExerciseGrouping {
  let environment: Environment

  /// A stored record, and the exercise that it belongs to.
  private struct Known {
    let record: ExerciseRecord
    let exercise: ExerciseID?
  }

  func renew(over connection: BulkConnection) async throws {
    let known = try await connection.run(ExerciseStaging.records).map(Self.known)
    let groups = ExerciseMatching.groups(of: known.map(\.record)).map { $0.map { known[$0] } }
    let ids = ids(of: groups)
    var (exercises, members, mergers) = (CopyRows(), CopyRows(), CopyRows())
    for (group, id) in zip(groups, ids) {
      exercises.append(MergedExercise(group.map(\.record)), id)
      for member in group { members.append(member.record, in: id) }
    }
    for (old, new) in lost(of: groups, ids) {
      mergers.append(old.description)
      mergers.append(new.description)
      mergers.endRow()
    }
    try await connection.copy(ExerciseStaging.copyExercises, exercises.bytes)
    try await connection.copy(ExerciseStaging.copyMembers, members.bytes)
    if !mergers.bytes.isEmpty { try await connection.copy(ExerciseStaging.copyMergers, mergers.bytes) }
    for step in [ExerciseStaging.putExercises, ExerciseStaging.putMergers, ExerciseStaging.putMembers] {
      try await connection.run(step)
    }
  }

  /// For each group its oldest id that no earlier group has, or a new one.
  private func ids(of groups: [[Known]]) -> [ExerciseID] {
    var taken: Set<ExerciseID> = []
    return groups.map { group in
      let free = group.compactMap(\.exercise).filter { !taken.contains($0) }.min { $0.uuid < $1.uuid }
      let id = free ?? environment.newID()
      taken.insert(id)
      return id
    }
  }

  /// The ids that no group has any more, each with the id of the group that its first record now belongs to.
  private func lost(of groups: [[Known]], _ ids: [ExerciseID]) -> [(ExerciseID, ExerciseID)] {
    var gone = Set(groups.joined().compactMap(\.exercise)).subtracting(ids)
    var found: [(ExerciseID, ExerciseID)] = []
    for (group, id) in zip(groups, ids) {
      for old in group.compactMap(\.exercise) where gone.remove(old) != nil { found.append((old, id)) }
    }
    return found
  }

  private static func known(_ row: [String?]) throws -> Known {
    func text(_ column: Int) -> String { row[column] ?? "" }
    func list(_ column: Int) -> [String] { text(column).split(separator: ExerciseStaging.separator).map(String.init) }
    guard let collection = ExerciseCollection(rawValue: text(0)) else {
      throw UnusableFile(
        reason: "the database has records of the collection \(text(0)), which this program does not know")
    }
    let record = ExerciseRecord(
      collection, text(1), name: text(2), aliases: list(3), category: ExerciseCategory(rawValue: text(4)),
      level: ExerciseLevel(rawValue: text(5)), muscles: list(6).compactMap { Muscle(rawValue: $0) },
      secondaryMuscles: list(7).compactMap { Muscle(rawValue: $0) },
      muscleGroups: list(8).compactMap { MuscleGroup(rawValue: $0) },
      equipment: list(9).compactMap { Equipment(rawValue: $0) }, instructions: list(10), images: list(11),
      license: text(12), attribution: text(13))
    return Known(record: record, exercise: row[14].flatMap { ExerciseID($0) })
  }
}

extension CopyRows {
  fileprivate mutating func append(_ exercise: MergedExercise, _ id: ExerciseID) {
    let search = exercise.search
    append(id.description)
    append(exercise.name)
    append(exercise.aliases)
    append(exercise.category?.rawValue ?? "")
    append(exercise.level?.rawValue ?? "")
    append(exercise.muscles.map(\.rawValue))
    append(exercise.secondaryMuscles.map(\.rawValue))
    append(exercise.muscleGroups.map(\.rawValue))
    append(exercise.targets)
    append(exercise.equipment.map(\.rawValue))
    append(exercise.instructions)
    append(exercise.instructionsCollection?.rawValue ?? "")
    append(exercise.records.map(\.collection.rawValue))
    append(exercise.records.map(\.sourceID))
    append(exercise.records.map(\.license))
    append(exercise.records.map(\.attribution))
    append(exercise.images.map(\.reference))
    append(exercise.images.map(\.collection.rawValue))
    append(search.vector)
    append(search.names)
    append(exercise.nameKeys)
    endRow()
  }

  fileprivate mutating func append(_ record: ExerciseRecord, in exercise: ExerciseID) {
    append(record.collection.rawValue)
    append(record.sourceID)
    append(exercise.description)
    endRow()
  }
}
