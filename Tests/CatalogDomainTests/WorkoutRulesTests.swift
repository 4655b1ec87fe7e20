import CatalogDomain
import Identifiers
import Testing

@Suite("rules of workouts")
struct WorkoutRulesTests {
  private static func id(_ number: UInt64) -> UUID7 { UUID7(high: 0x0190_0000_0000_7000, low: 0x8000 << 48 | number) }

  private static func plan(_ entries: Int) throws -> WorkoutPlan {
    WorkoutPlan(
      name: try #require(WorkoutName("Legs")), description: nil, muscleGroups: [.legs],
      stored: (0..<entries).map { PlannedEntry(id(UInt64($0)), id(100), .suggested) })
  }

  @Test("[CA-12] entries are put in, moved and taken out, and keep their ids")
  func entries() throws {
    var plan = try Self.plan(3)
    try plan.insert(PlannedEntry(Self.id(9), Self.id(100), .suggested), at: 1)
    #expect(plan.entries.map(\.id) == [0, 9, 1, 2].map { Self.id($0) })
    try plan.reorder([2, 1, 9, 0].map { Self.id($0) })
    try plan.remove(Self.id(1))
    try plan.change(Self.id(9)) { $0.target.sets = 7 }
    #expect(plan.entries.map(\.id) == [2, 9, 0].map { Self.id($0) } && plan.entries[1].target.sets == 7)
  }

  @Test("[CA-12] an order names each entry once, a place is within the workout, and there are at most 50")
  func refusals() throws {
    var plan = try Self.plan(3)
    for order in [[0, 1], [0, 1, 1], [0, 1, 5], [0, 1, 2, 2]] as [[UInt64]] {
      #expect(throws: WorkoutPlan.Refusal.notAnOrder) { try plan.reorder(order.map { Self.id($0) }) }
    }
    let entry = PlannedEntry(Self.id(9), Self.id(100), .suggested)
    for place in [-1, 4] { #expect(throws: WorkoutPlan.Refusal.noSuchPosition) { try plan.insert(entry, at: place) } }
    #expect(throws: WorkoutPlan.Refusal.noSuchEntry) { try plan.remove(Self.id(9)) }
    var full = try Self.plan(50)
    #expect(throws: WorkoutPlan.Refusal.tooManyEntries) { try full.insert(entry, at: nil) }
  }

  @Test("a weight is 0 to 1,000 kg, to the gram")
  func weights() {
    #expect(Weight(kilograms: 22.5)?.grams == 22_500 && Weight(kilograms: 0.0004)?.grams == 0)
    #expect(Weight(kilograms: 61.2345)?.kilograms == 61.235)
    for bad in [-0.001, 1_000.001, .nan, .infinity, -.infinity] { #expect(Weight(kilograms: bad) == nil, "\(bad)") }
  }

  @Test(
    "[CA-14] the formulas give what their authors say",
    arguments: [
      (MaximumFormula.epley, 100.0, 1, 100.0), (.epley, 100, 10, 133.333), (.epley, 60, 5, 70),
      (.brzycki, 100, 1, 100), (.brzycki, 100, 10, 133.333), (.brzycki, 60, 5, 67.5),
    ] as [(MaximumFormula, Double, Int32, Double)])
  func formulas(formula: MaximumFormula, weight: Double, reps: Int32, expected: Double) throws {
    let set = PerformedSet(reps: reps, weight: try #require(Weight(kilograms: weight)), duration: 0)
    let estimate = try #require(formula.estimate(set))
    #expect(abs(estimate - expected) < 0.001)
  }

  @Test("[CA-14] beyond 12 repetitions, and without a weight, nothing is estimated; the best set is the heaviest then")
  func best() throws {
    func set(_ reps: Int32, _ kilograms: Double, _ duration: Int32 = 0) throws -> PerformedSet {
      PerformedSet(reps: reps, weight: try #require(Weight(kilograms: kilograms)), duration: duration)
    }
    let (light, heavy, many, none) = (try set(12, 60), try set(3, 80), try set(13, 90), try set(10, 0))
    #expect(MaximumFormula.epley.estimate(many) == nil && MaximumFormula.epley.estimate(none) == nil)
    #expect(MaximumFormula.epley.best(of: [none, light, heavy, many])?.set == heavy)
    #expect(MaximumFormula.epley.best(of: [none, many])?.set == many)
    #expect(MaximumFormula.epley.best(of: [none, many])?.estimate == nil)
    #expect(MaximumFormula.epley.best(of: [try set(0, 0, 30), try set(0, 0, 60)])?.set.duration == 60)
    #expect(MaximumFormula.epley.best(of: []) == nil)
  }

  @Test("[CA-13] a workout is found by its name, its muscle groups and those of its exercises")
  func searchText() throws {
    let text = WorkoutSearchText(try Self.plan(1), exercises: [("Bench Press", [.chest])])
    #expect(text.trained == [.chest, .legs] && text.names == "legs chest legs")
    #expect(text.vector == "legs:1A chest:2B legs:3B bench:4C press:5C")
  }
}
