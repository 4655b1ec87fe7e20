import CatalogDomain
import CatalogStore
import FieldMasks
import FieldViolations
import Identifiers
import TandemCatalog
import VisibleText

/// Checked values for some fields of an entry.
struct EntryDraft: Sendable {
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

  /// The path of the entry in the request.
  let path: String
  private(set) var exercise: ExerciseID?
  private var sets: Int32?
  private var reps: Int32?
  private var duration: Int32?
  private var weight: Weight??
  private var rest: Int32?
  private var note: EntryNote??

  /// Reads the `named` fields of `entry` and adds a violation for each invalid one ([CA-12]).
  init(_ named: Set<Field>, of entry: WorkoutEntry, _ path: String, _ bad: inout Violations) {
    self.path = path
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

  /// The entry; `nil` unless all fields were named and valid.
  func entry(_ id: UUID7) -> PlannedEntry? {
    guard let exercise, let sets, let reps, let duration, let weight, let rest, let note else { return nil }
    return PlannedEntry(
      id, exercise.uuid,
      EntryTarget(sets: sets, reps: reps, duration: duration, weight: weight, rest: rest, note: note))
  }

  /// Sets the new values.
  ///
  /// - Throws: if neither repetitions nor a duration are left.
  func apply(to entry: inout PlannedEntry) throws(BadFields) {
    entry.exercise = exercise?.uuid ?? entry.exercise
    entry.target.sets = sets ?? entry.target.sets
    entry.target.reps = reps ?? entry.target.reps
    entry.target.duration = duration ?? entry.target.duration
    entry.target.weight = weight ?? entry.target.weight
    entry.target.rest = rest ?? entry.target.rest
    entry.target.note = note ?? entry.target.note
    guard entry.target.reps > 0 || entry.target.duration > 0 else {
      throw BadFields("\(path).reps", "Repetitions or a duration are needed", CatalogReason.repsRequired)
    }
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
    add(field, "Repetitions or a duration are needed", CatalogReason.repsRequired)
  }

  private mutating func range(
    _ number: Int32, _ range: ClosedRange<Int32>, _ field: String, _ what: String, _ reason: CatalogReason
  ) -> Int32? {
    require(
      field, range.contains(number) ? number : nil, "There are \(range.lowerBound) to \(range.upperBound) \(what)",
      reason)
  }
}
