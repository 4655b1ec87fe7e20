import CatalogDomain
import Identifiers
import VisibleText

/// A validated curated workout of a file.
struct CuratedRecord {
  /// An exercise of the workout.
  struct Entry {
    /// The exercise by collection and source id: `wger:73`; or by the id alone, `back-squat`, if it is of the workout's own collection.
    let exercise: String
    let target: EntryTarget
  }

  /// The file's own id of it.
  let key: String
  let name: WorkoutName
  let description: WorkoutDescription?
  let level: ExerciseLevel?
  let muscleGroups: [MuscleGroup]
  let entries: [Entry]

  private struct Written: Decodable {
    struct Entry: Decodable {
      let exercise: String?
      let sets: Int32?
      let reps: Int32?
      let duration: Int32?
      let weight: Double?
      let rest: Int32?
      let note: String?

      enum CodingKeys: String, CodingKey {
        case exercise, sets, reps, note
        case duration = "duration_s"
        case weight = "weight_kg"
        case rest = "rest_s"
      }
    }

    let id: String?
    let name: String?
    let description: String?
    let level: String?
    let muscleGroups: [String]?
    let entries: [Entry]?

    enum CodingKeys: String, CodingKey {
      case id, name, description, level, entries
      case muscleGroups = "muscle_groups"
    }
  }

  init(_ json: String) throws(ExerciseFlaw) {
    let written = try ExerciseParts.decode(Written.self, json)
    key = try ExerciseParts.sourceID(written.id)
    guard let name = written.name.flatMap({ WorkoutName($0) }) else { throw ExerciseFlaw("it has no usable name") }
    self.name = name
    description = try Self.text(written.description, "description")
    level = ExerciseVocabulary.level(written.level)
    let groups = (written.muscleGroups ?? []).map { MuscleGroup(rawValue: $0.uppercased()) }
    guard !groups.contains(nil) else { throw ExerciseFlaw("it names a muscle group that there is not") }
    muscleGroups = ExerciseParts.unique(groups.compactMap { $0 })
    let given = written.entries ?? []
    guard (1...WorkoutPlan.maxEntries).contains(given.count) else {
      throw ExerciseFlaw("it has \(given.count) entries instead of 1 to \(WorkoutPlan.maxEntries)")
    }
    var entries: [Entry] = []
    for (place, entry) in given.enumerated() { entries.append(try Self.entry(entry, place + 1)) }
    self.entries = entries
  }

  private static func entry(_ written: Written.Entry, _ number: Int) throws(ExerciseFlaw) -> Entry {
    let target = EntryTarget(
      sets: written.sets ?? 0, reps: written.reps ?? 0, duration: written.duration ?? 0,
      weight: written.weight.flatMap { Weight(kilograms: $0) }, rest: written.rest ?? 0,
      note: try text(written.note, "note"))
    guard let exercise = written.exercise, EntryTarget.setsRange.contains(target.sets),
      EntryTarget.repsRange.contains(target.reps), EntryTarget.durationRange.contains(target.duration),
      EntryTarget.restRange.contains(target.rest), target.reps > 0 || target.duration > 0,
      (written.weight == nil) == (target.weight == nil)
    else { throw ExerciseFlaw("its entry \(number) is not usable") }
    return Entry(exercise: exercise, target: target)
  }

  private static func text<Limit: TextLimit>(
    _ written: String?, _ what: String
  ) throws(ExerciseFlaw) -> VisibleText<Limit>? {
    guard let written, !VisibleText<Limit>.isBlank(written) else { return nil }
    guard let text = VisibleText<Limit>(written) else { throw ExerciseFlaw("its \(what) is not usable") }
    return text
  }
}
