import CatalogDomain
import Glibc
import SeededNumbers

/// Measures the quality of recommendations: one book of each reader is hidden, and looked for among ten recommended by the reader's other
/// books ([CA-28]).
package struct RecommendationEvaluation: Sendable {
  /// How often hidden books were found, and at which rank.
  package struct Measure: Sendable, Equatable {
    /// The share of the hidden books that was among the ten (recall@10).
    package fileprivate(set) var recall = 0.0
    /// The share of the hidden books that was found, weighted by rank: 1 for the first, 1 / log2(rank + 1) for others (NDCG@10).
    package fileprivate(set) var gain = 0.0
  }

  /// Books recommended to each reader.
  static let places = 10

  /// The measure of ``NeighbourModel``.
  package private(set) var model = Measure()
  /// The measure of recommending the books with the most readers, without those that the reader has read.
  package private(set) var popularity = Measure()
  /// Hidden books in all rounds.
  package private(set) var trials = 0

  /// Hides, in each round, a random book of each reader who has more than one.
  ///
  /// - Parameters:
  ///   - seed: of the choice of hidden books; the same seed hides the same books.
  ///   - neighbours: computes the neighbours from the remaining readings.
  package init(
    of readings: Readings, rounds: Int, seed: UInt64, by neighbours: (Readings) -> [BookNeighbours]
  ) {
    var random = SplitMix(seed: seed)
    for _ in 0..<rounds {
      var (left, weights) = (readings.booksOfReaders, readings.weightsOfReaders)
      var hidden = [Int32?](repeating: nil, count: left.count)
      for reader in left.indices where left[reader].count > 1 {
        // The generator is seeded by the caller, so that the result is reproducible.
        let place = Int.random(in: left[reader].indices, using: &random)
        hidden[reader] = left[reader].remove(at: place)
        weights[reader].remove(at: place)
      }
      let rest = Readings(books: readings.books, booksOfReaders: left, weightsOfReaders: weights)
      add(Round(of: rest, hidden: hidden, by: neighbours))
    }
    model.divide(by: trials)
    popularity.divide(by: trials)
  }

  private mutating func add(_ round: Round) {
    for (reader, book) in round.hidden.enumerated() {
      guard let book else { continue }
      trials += 1
      model.count(round.recommended(to: reader).firstIndex(of: book))
      popularity.count(round.popular(without: reader).firstIndex(of: book))
    }
  }
}

extension RecommendationEvaluation.Measure {
  fileprivate mutating func count(_ index: Int?) {
    guard let index else { return }
    recall += 1
    gain += 1 / log2(Double(index + 2))
  }

  fileprivate mutating func divide(by trials: Int) {
    guard trials > 0 else { return }
    recall /= Double(trials)
    gain /= Double(trials)
  }
}

/// The readings without the hidden books, and the neighbours computed from them.
private struct Round {
  let hidden: [Int32?]
  private let left: Readings
  private let neighbours: [[(book: Int32, weight: Float)]]
  private let byPopularity: [Int32]

  init(of left: Readings, hidden: [Int32?], by make: (Readings) -> [BookNeighbours]) {
    self.left = left
    self.hidden = hidden
    let places = Dictionary(uniqueKeysWithValues: zip(left.books, Int32(0)...))
    var neighbours = [[(book: Int32, weight: Float)]](repeating: [], count: left.books.count)
    for book in make(left) {
      guard let place = places[book.book] else { continue }
      neighbours[Int(place)] = book.neighbours.compactMap { near in places[near.book].map { ($0, near.weight) } }
    }
    self.neighbours = neighbours
    byPopularity = left.readersOfBooks.indices.map { Int32($0) }.sorted {
      (left.readersOfBooks[Int($0)].count, $1) > (left.readersOfBooks[Int($1)].count, $0)
    }
  }

  /// Ranks as the recommendations of the service do: by the sum of the weights, each times the weight of its rating, then by the number of
  /// readers.
  func recommended(to reader: Int) -> [Int32] {
    let known = Set(left.booksOfReaders[reader])
    var scores: [Int32: Float] = [:]
    for (book, weight) in zip(left.booksOfReaders[reader], left.weightsOfReaders[reader]) where weight != 0 {
      for near in neighbours[Int(book)] { scores[near.book, default: 0] += near.weight * weight }
    }
    let close = scores.filter { $0.value > 0 && !known.contains($0.key) }.sorted {
      ($0.value, $1.key) > ($1.value, $0.key)
    }
    let first = close.prefix(RecommendationEvaluation.places).map(\.key)
    let filling = byPopularity.lazy.filter { !known.contains($0) && scores[$0] == nil }
    return first + filling.prefix(RecommendationEvaluation.places - first.count)
  }

  func popular(without reader: Int) -> [Int32] {
    let known = Set(left.booksOfReaders[reader])
    return Array(byPopularity.lazy.filter { !known.contains($0) }.prefix(RecommendationEvaluation.places))
  }
}
