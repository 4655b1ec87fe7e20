import CatalogDomain
import CatalogOperations
import FieldMasks
import FieldViolations
import TandemCatalog
import VisibleText

extension EntryDraft {
  /// A field that the owner may set.
  enum Field: String, MaskedField {
    case exercise = "exercise_id"
    case sets
    case reps
    case duration = "duration_s"
    case weight = "weight_kg"
    case rest = "rest_s"
    case note
  }

  /// Reads the `named` fields of `entry`, which is at `path` in the request, and adds a violation for each invalid one ([CA-12]).
  init(_ named: Set<Field>, of entry: WorkoutEntry, _ path: String, _ bad: inout Violations) {
    self.init()
    for field in Field.allCases where named.contains(field) {
      let place = "\(path).\(field.rawValue)"
      switch field {
      case .exercise: exercise = bad.exerciseID(entry.exerciseID, place)
      case .sets: sets = bad.sets(entry.sets, place)
      case .reps: reps = bad.reps(entry.reps, place)
      case .duration: duration = bad.duration(entry.durationS, place)
      case .weight: weight = .some(entry.weightKg.flatMap { bad.weight($0, place) })
      case .rest: rest = bad.rest(entry.restS, place)
      case .note: note = .some(bad.entryNote(entry.note, place))
      }
    }
  }

  /// Reads all fields of an entry; repetitions or a duration are required.
  init(whole entry: WorkoutEntry, _ path: String, _ bad: inout Violations) {
    self.init(Set(Field.allCases), of: entry, path, &bad)
    if entry.reps == 0, entry.durationS == 0 { bad.addRepsRequired("\(path).reps") }
  }

  /// Its exercise, with the field that names it.
  func namedExercises(_ path: String) -> [NamedExercise] {
    exercise.map { [("\(path).\(Field.exercise.rawValue)", $0)] } ?? []
  }
}

extension Violations {
  mutating func sets(_ number: Int32, _ field: String) -> Int32? {
    range(number, EntryTarget.setsRange, field, "sets", CatalogReason.setsInvalid)
  }

  mutating func reps(_ number: Int32, _ field: String) -> Int32? {
    range(number, EntryTarget.repsRange, field, "repetitions", CatalogReason.repsInvalid)
  }

  mutating func duration(_ number: Int32, _ field: String) -> Int32? {
    range(number, EntryTarget.durationRange, field, "seconds", CatalogReason.durationInvalid)
  }

  mutating func rest(_ number: Int32, _ field: String) -> Int32? {
    range(number, EntryTarget.restRange, field, "seconds", CatalogReason.restInvalid)
  }

  mutating func weight(_ kilograms: Double, _ field: String) -> Weight? {
    require(field, Weight(kilograms: kilograms), "A weight is 0 to 1,000 kg", CatalogReason.weightInvalid)
  }

  /// A note; `nil` for none. Adds a violation for an invalid one.
  mutating func entryNote(_ text: String, _ field: String) -> EntryNote? {
    guard !EntryNote.isBlank(text) else { return nil }
    return require(field, EntryNote.read(text), CatalogReason.noteInvalid)
  }

  mutating func addRepsRequired(_ field: String) {
    add(field, WorkoutPlan.Refusal.targetText, CatalogReason.repsRequired)
  }

  private mutating func range(
    _ number: Int32, _ range: ClosedRange<Int32>, _ field: String, _ what: String, _ reason: CatalogReason
  ) -> Int32? {
    require(
      field, range.contains(number) ? number : nil, "There are \(range.lowerBound) to \(range.upperBound) \(what)",
      reason)
  }
}
