import CatalogDomain
import Foundation
import Testing

@testable import CatalogLoading
@testable import catalog

@Suite("ratings of readers")
struct RatingsTests {
  private func readings(_ text: String, chunk: Int = 7) throws -> Readings {
    var rest = Array(text.utf8)[...]
    return try RatingsFile.readings {
      defer { rest = rest.dropFirst(chunk) }
      return rest.isEmpty ? nil : Array(rest.prefix(chunk))
    }
  }

  @Test("[CA-28] a rating says that a book was read; lines that say nothing are passed over")
  func file() throws {
    let readings = try readings("rating,user_id,book_id\r\n5,1,30\r\n1,2,30\n4,1,20\n4,1,20\n,,\nx,y,z\n3,2")
    #expect(readings.books == [20, 30] && readings.booksOfReaders == [[0, 1], [1]])
  }

  @Test("[CA-28] a file without the columns is refused", arguments: ["", "reader,book\n1,2\n"])
  func otherFile(text: String) throws {
    if text.isEmpty { return #expect(try readings(text).books.isEmpty) }
    #expect(throws: UnusableFile.self) { try readings(text) }
  }

  private static let real = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../shared/data/books/goodbooks-10k.ratings-sample.csv").standardized

  @Test(
    "[CA-28] of goodbooks-10k's hidden books it finds two and a half times as many as popularity does",
    .enabled(if: FileManager.default.isReadableFile(atPath: real.path), "there is no \(real.path)"))
  func goodbooks() throws {
    let all = try readings(try String(contentsOf: Self.real, encoding: .utf8), chunk: 1 << 16)
    // The books that most people rated: all of them take long where nothing is optimised.
    var some = ReadingCollector<Int>(mostBooks: 400)
    for (reader, books) in all.booksOfReaders.enumerated() {
      for book in books { some.add(reader: reader, book: all.books[Int(book)]) }
    }
    let (readings, began) = (some.readings, ContinuousClock.now)
    let evaluation = RecommendationEvaluation(
      of: readings, rounds: 1, seed: 1, by: { NeighbourModel.neighbours(in: $0) })
    #expect(evaluation.trials > 600)
    #expect(evaluation.model.recall >= 2.5 * evaluation.popularity.recall, "\(evaluation)")
    #expect(evaluation.model.gain >= 2.5 * evaluation.popularity.gain)
    let report = RecommendationReport(evaluation, of: readings, rounds: 1, took: ContinuousClock.now - began)
    let lines = "\(report)".split(separator: "\n")
    #expect(lines.count == 4 && lines[2].hasPrefix("popularity") && lines[2].hasSuffix("1.00 x      "), "\(report)")
  }
}
