public import Identifiers

/// The target of an exercise in a workout.
public struct EntryTarget: Sendable, Equatable {
  /// Sets of an entry.
  public static let setsRange: ClosedRange<Int32> = 1...50
  /// Repetitions of a set; 0 for one that is held for a time.
  public static let repsRange: ClosedRange<Int32> = 0...1_000
  /// Seconds that a set is held; 0 for one that is counted in repetitions.
  public static let durationRange: ClosedRange<Int32> = 0...36_000
  /// Seconds between sets.
  public static let restRange: ClosedRange<Int32> = 0...3_600

  public var sets: Int32
  /// For each set; 0 for an exercise that is held for a time.
  public var reps: Int32
  /// In seconds, for each set; 0 for an exercise that is counted in repetitions.
  public var duration: Int32
  /// `nil` without a weight.
  public var weight: Weight?
  /// In seconds, between sets.
  public var rest: Int32
  public var note: EntryNote?

  public init(sets: Int32, reps: Int32, duration: Int32, weight: Weight?, rest: Int32, note: EntryNote?) {
    self.sets = sets
    self.reps = reps
    self.duration = duration
    self.weight = weight
    self.rest = rest
    self.note = note
  }

  /// The target of an exercise that was suggested.
  public static let suggested = EntryTarget(sets: 3, reps: 10, duration: 0, weight: nil, rest: 60, note: nil)
}

/// An exercise of a workout.
public struct PlannedEntry: Sendable, Equatable {
  /// Unchanged when the entry is edited or moved.
  public let id: UUID7
  public var exercise: UUID7
  public var target: EntryTarget

  public init(_ id: UUID7, _ exercise: UUID7, _ target: EntryTarget) {
    self.id = id
    self.exercise = exercise
    self.target = target
  }
}

/// A workout plan as its owner wrote it ([CA-12]).
public struct WorkoutPlan: Sendable, Equatable {
  /// Why a change is refused.
  public enum Refusal: Error, Sendable, Equatable {
    case tooManyEntries
    /// The position is beyond the end.
    case noSuchPosition
    case noSuchEntry
    /// The order does not name each entry exactly once.
    case notAnOrder
    /// An entry has neither repetitions nor a duration.
    case noTarget
  }

  /// A plan with more entries is refused; the database enforces it by the range of positions.
  public static let maxEntries = 50

  public var name: WorkoutName
  public var description: WorkoutDescription?
  /// The groups that the owner names; in the order of ``MuscleGroup``.
  public var muscleGroups: [MuscleGroup]
  /// In the order of the workout.
  public private(set) var entries: [PlannedEntry]

  /// A plan that was checked before it was stored.
  public init(
    name: WorkoutName, description: WorkoutDescription?, muscleGroups: [MuscleGroup], stored entries: [PlannedEntry]
  ) {
    self.name = name
    self.description = description
    self.muscleGroups = muscleGroups
    self.entries = entries
  }

  /// - Throws: `tooManyEntries` beyond ``maxEntries``.
  public mutating func replaceEntries(_ new: [PlannedEntry]) throws(Refusal) {
    guard new.count <= Self.maxEntries else { throw .tooManyEntries }
    entries = new
  }

  /// - Parameter position: of the entry that it is inserted before, from 0; `nil` for the end.
  /// - Throws: `noSuchPosition` beyond the end; `tooManyEntries` beyond ``maxEntries``.
  public mutating func insert(_ entry: PlannedEntry, at position: Int?) throws(Refusal) {
    let position = position ?? entries.count
    guard (0...entries.count).contains(position) else { throw .noSuchPosition }
    guard entries.count < Self.maxEntries else { throw .tooManyEntries }
    entries.insert(entry, at: position)
  }

  /// - Throws: `noSuchEntry`.
  public mutating func change(_ id: UUID7, _ change: (inout PlannedEntry) -> Void) throws(Refusal) {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { throw .noSuchEntry }
    change(&entries[place])
  }

  /// - Throws: `noSuchEntry`.
  public mutating func remove(_ id: UUID7) throws(Refusal) {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { throw .noSuchEntry }
    entries.remove(at: place)
  }

  /// - Throws: `notAnOrder` if `order` does not name each entry exactly once.
  public mutating func reorder(_ order: [UUID7]) throws(Refusal) {
    let byID = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) })
    guard order.count == entries.count, Set(order) == Set(byID.keys) else { throw .notAnOrder }
    entries = order.compactMap { byID[$0] }
  }
}
