public import Identifiers

/// What is to be done of an exercise.
public struct EntryTarget: Sendable, Equatable {
  /// Sets of an entry.
  public static let setsRange: ClosedRange<Int32> = 1...50
  /// Repetitions of a set; 0 for one that is held for a time.
  public static let repsRange: ClosedRange<Int32> = 0...1_000
  /// Seconds that a set is held; 0 for one that is counted in repetitions.
  public static let durationRange: ClosedRange<Int32> = 0...36_000
  /// Seconds between sets.
  public static let restRange: ClosedRange<Int32> = 0...3_600

  /// How many.
  public var sets: Int32
  /// Of each set; 0 where it is held for a time.
  public var reps: Int32
  /// In seconds, of each set; 0 where it is counted in repetitions.
  public var duration: Int32
  /// `nil` where none is planned.
  public var weight: Weight?
  /// In seconds, between sets.
  public var rest: Int32
  /// `nil` where there is none.
  public var note: EntryNote?

  /// Names the parts.
  public init(sets: Int32, reps: Int32, duration: Int32, weight: Weight?, rest: Int32, note: EntryNote?) {
    self.sets = sets
    self.reps = reps
    self.duration = duration
    self.weight = weight
    self.rest = rest
    self.note = note
  }

  /// What is planned of an exercise that was suggested.
  public static let suggested = EntryTarget(sets: 3, reps: 10, duration: 0, weight: nil, rest: 60, note: nil)
}

/// An exercise of a workout.
public struct PlannedEntry: Sendable, Equatable {
  /// Stays when the entry is changed or moved.
  public let id: UUID7
  /// The exercise.
  public var exercise: UUID7
  /// What is to be done of it.
  public var target: EntryTarget

  /// Names the parts.
  public init(_ id: UUID7, _ exercise: UUID7, _ target: EntryTarget) {
    self.id = id
    self.exercise = exercise
    self.target = target
  }
}

/// A workout as its owner plans it ([CA-12]).
public struct WorkoutPlan: Sendable, Equatable {
  /// Why a change is not made.
  public enum Refusal: Error, Sendable, Equatable {
    case tooManyEntries
    /// Nothing comes there: it is beyond the end.
    case noSuchPosition
    case noSuchEntry
    /// The order does not name each entry once.
    case notAnOrder
  }

  /// More entries are refused; the database holds it by their places.
  public static let maxEntries = 50

  /// What it is called.
  public var name: WorkoutName
  /// `nil` where there is none.
  public var description: WorkoutDescription?
  /// What the owner says it trains; in the order of the list.
  public var muscleGroups: [MuscleGroup]
  /// In order.
  public private(set) var entries: [PlannedEntry]

  /// A plan as it was stored.
  public init(
    name: WorkoutName, description: WorkoutDescription?, muscleGroups: [MuscleGroup], stored entries: [PlannedEntry]
  ) {
    self.name = name
    self.description = description
    self.muscleGroups = muscleGroups
    self.entries = entries
  }

  /// Puts other entries in the place of those that are there.
  ///
  /// - Throws: `tooManyEntries` beyond ``maxEntries``.
  public mutating func replaceEntries(_ new: [PlannedEntry]) throws(Refusal) {
    guard new.count <= Self.maxEntries else { throw .tooManyEntries }
    entries = new
  }

  /// Puts an entry in.
  ///
  /// - Parameter position: that of the entry before which it comes, from 0; `nil` for the end.
  /// - Throws: `noSuchPosition` beyond the end; `tooManyEntries` beyond ``maxEntries``.
  public mutating func insert(_ entry: PlannedEntry, at position: Int?) throws(Refusal) {
    let position = position ?? entries.count
    guard (0...entries.count).contains(position) else { throw .noSuchPosition }
    guard entries.count < Self.maxEntries else { throw .tooManyEntries }
    entries.insert(entry, at: position)
  }

  /// Changes an entry.
  ///
  /// - Throws: `noSuchEntry`.
  public mutating func change(_ id: UUID7, _ change: (inout PlannedEntry) -> Void) throws(Refusal) {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { throw .noSuchEntry }
    change(&entries[place])
  }

  /// Takes an entry out.
  ///
  /// - Throws: `noSuchEntry`.
  public mutating func remove(_ id: UUID7) throws(Refusal) {
    guard let place = entries.firstIndex(where: { $0.id == id }) else { throw .noSuchEntry }
    entries.remove(at: place)
  }

  /// Puts the entries into another order.
  ///
  /// - Throws: `notAnOrder` for one that does not name each of them once.
  public mutating func reorder(_ order: [UUID7]) throws(Refusal) {
    let byID = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) })
    guard order.count == entries.count, Set(order) == Set(byID.keys) else { throw .notAnOrder }
    entries = order.compactMap { byID[$0] }
  }
}
