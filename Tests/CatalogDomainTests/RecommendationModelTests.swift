import CatalogEvaluation
import Foundation
import SeededNumbers
import Testing

@testable import CatalogDomain

@Suite("what is learnt from readers")
struct RecommendationModelTests {
  /// Two circles of readers: one reads books 0 to 9, the other 10 to 19, each reader seven of the ten; all readers have read book 20.
  private static let circles: Readings = {
    var collector = ReadingCollector<Int>()
    var random = SplitMix(seed: 7)
    for reader in 0..<120 {
      let first = reader.isMultiple(of: 2) ? 0 : 10
      for book in (first..<first + 10).shuffled(using: &random).prefix(7) {
        collector.add(reader: reader, book: Int64(book))
      }
      collector.add(reader: reader, book: 20)
    }
    return collector.readings
  }()

  @Test("[CA-28] books of one circle of readers are close, and those of the other are not")
  func circles() {
    let neighbours = NeighbourModel.neighbours(in: Self.circles, on: .assumed())
    #expect(neighbours.map(\.book) == Array(0...20))
    for book in neighbours where book.book < 20 {
      let close = book.neighbours.filter { $0.book < 20 && $0.weight > 0.01 }.map(\.book)
      #expect(!close.isEmpty && close.allSatisfy { ($0 < 10) == (book.book < 10) }, "\(book)")
      #expect(book.neighbours.map(\.book).contains(book.book) == false)
      #expect(book.neighbours.map(\.weight) == book.neighbours.map(\.weight).sorted(by: >))
    }
  }

  @Test("[CA-28] what is learnt finds hidden books better than popularity does")
  func evaluation() {
    let evaluation = RecommendationEvaluation(
      of: Self.circles, rounds: 2, seed: 1, by: { NeighbourModel.neighbours(in: $0, on: .assumed()) })
    #expect(evaluation.trials == 240)
    #expect(evaluation.model.recall > evaluation.popularity.recall)
    #expect(evaluation.model.gain > evaluation.popularity.gain && evaluation.model.recall <= 1)
  }

  @Test("[CA-28] nobody's readings, or one reader's, teach nothing and break nothing")
  func little() {
    #expect(NeighbourModel.neighbours(in: Readings(books: [], booksOfReaders: []), on: .assumed()).isEmpty)
    let one = NeighbourModel.neighbours(in: Readings(books: [1, 2], booksOfReaders: [[0, 1], []]), on: .assumed())
    #expect(one.map(\.readers) == [1, 1])
    let nobody = RecommendationEvaluation(
      of: Readings(books: [], booksOfReaders: []), rounds: 1, seed: 1, by: { _ in [] })
    #expect(nobody.trials == 0 && nobody.model.recall == 0)
  }

  @Test("readings are kept within bounds: the books that most people read, and not all of who reads everything")
  func bounds() {
    var collector = ReadingCollector<Int>(maxReaders: 3, maxBooks: 2, maxOfReader: 3)
    for (reader, book) in [(1, 10), (1, 10), (1, 30), (2, 30), (2, 20), (3, 20), (3, 30), (4, 10), (1, 40), (1, 50)] {
      collector.add(reader: reader, book: Int64(book))
    }
    let readings = collector.readings
    #expect(readings.books == [20, 30] && readings.booksOfReaders == [[1], [0, 1], [0, 1]])
    #expect(readings.readersOfBooks == [[1, 2], [0, 1, 2]])
  }

  @Test("equations are solved")
  func equations() {
    var (matrix, vector): ([Float], [Float]) = ([4, 0, 0, 2, 5, 0, 1, 3, 6], [11, 21, 25])
    LinearSystem.solve(&matrix, &vector)
    for (found, expected) in zip(vector, [1, 2, 3]) { #expect(abs(found - Float(expected)) < 0.001, "\(vector)") }
  }
}
