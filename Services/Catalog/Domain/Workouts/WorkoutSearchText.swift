/// The searchable text of a workout, in PostgreSQL's formats ([CA-13]).
public struct WorkoutSearchText: Sendable, Equatable {
  /// A `tsvector`: words of the name have weight A, of muscle groups and muscles B, of exercises C, of the description D.
  public let vector: String
  /// The words of name and muscle groups; misspelt keywords are compared with them.
  public let names: String
  /// The muscle groups that it trains: those that its owner names, and those of its exercises.
  public let trained: [MuscleGroup]

  /// - Parameter exercises: those of the plan's entries, each with the groups that it trains.
  public init(_ plan: WorkoutPlan, exercises: [(name: String, groups: [MuscleGroup])]) {
    let all = Set(plan.muscleGroups + exercises.flatMap(\.groups))
    trained = MuscleGroup.allCases.filter(all.contains)
    let name = Words.of(plan.name.text)
    let groups = trained.flatMap { Words.of($0.label) }
    let weighted =
      name.map { ($0, "A") } + groups.map { ($0, "B") } + exercises.flatMap { Words.of($0.name) }.map { ($0, "C") }
      + Words.of(plan.description?.text ?? "").map { ($0, "D") }
    vector = SearchVector.text(of: weighted)
    names = (name + groups).joined(separator: " ")
  }
}
