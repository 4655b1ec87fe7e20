/// How well searches of one kind are answered.
package struct SearchMeasure: Sendable, Equatable {
  /// Results that are looked at.
  package static let places = 10

  package private(set) var queries = 0
  private var firsts = 0
  private var ranks = 0.0

  package init() {}

  /// The share of the queries whose first result is right.
  package var top1: Double { queries == 0 ? 0 : Double(firsts) / Double(queries) }
  /// The mean of 1 / rank of the first right result among ten, of 0 if there is none (MRR@10).
  package var reciprocalRank: Double { queries == 0 ? 0 : ranks / Double(queries) }

  /// Counts the results of a query.
  ///
  /// - Parameter results: the ids of each, the first result first.
  /// - Returns: the rank of the first right one, from 1; `nil` if none of ten is right.
  @discardableResult
  package mutating func count(_ results: [[String]], for query: JudgedQuery) -> Int? {
    queries += 1
    guard let place = results.prefix(Self.places).firstIndex(where: { !query.ids.isDisjoint(with: $0) }) else {
      return nil
    }
    if place == 0 { firsts += 1 }
    ranks += 1 / Double(place + 1)
    return place + 1
  }
}
