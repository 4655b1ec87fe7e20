import CatalogDomain
import CatalogEvaluation
import Foundation
import ServiceRuntime
import Testing

@testable import CatalogLoading
@testable import catalog_evaluation

@Suite("ratings of readers")
struct RatingsTests {
  private func readings(_ text: String, chunk: Int = 7, maxBooks: Int = 10_000) throws -> Readings {
    var rest = Array(text.utf8)[...]
    return try RatingsFile.readings(maxBooks: maxBooks) {
      defer { rest = rest.dropFirst(chunk) }
      return rest.isEmpty ? nil : Array(rest.prefix(chunk))
    }
  }

  @Test("[CA-28] a rating says that a book was read; lines that say nothing are passed over")
  func file() throws {
    let readings = try readings("rating,user_id,book_id\r\n5,1,30\r\n1,2,30\n4,1,20\n4,1,20\n,,\nx,y,z\n3,2")
    #expect(readings.books == [20, 30] && readings.booksOfReaders == [[0, 1], [1]])
    #expect(
      readings.weightsOfReaders == [[ReadingWeight.ofStars[3], ReadingWeight.ofStars[4]], [ReadingWeight.ofStars[0]]])
  }

  @Test("[CA-28] a file without the columns is refused", arguments: ["", "reader,book\n1,2\n"])
  func otherFile(text: String) throws {
    if text.isEmpty { return #expect(try readings(text).books.isEmpty) }
    #expect(throws: UnusableFile.self) { try readings(text) }
  }

  @Test("[CA-28] the command measures a file, and refuses what is none")
  func command() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "ratings-\(UUID().uuidString).csv")
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    try Data("user_id,book_id,rating\n1,1,5\n1,2,4\n2,1,5\n2,2,1\n".utf8).write(to: file)
    try await EvaluateRecommendationsCommand.parse(["--ratings", file.path, "--rounds", "1"]).run()
    try Data("a,b\n".utf8).write(to: file)
    let refused = await #expect(throws: StartupError.self) {
      try await EvaluateRecommendationsCommand.parse(["--ratings", file.path]).run()
    }
    #expect(
      refused?.lines == [
        "\(file.path) cannot be used: its first line does not name the columns user_id, book_id and rating"
      ])
  }

  private static let real = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../shared/data/books/goodbooks-10k.ratings-sample.csv").standardized

  @Test(
    "[CA-28] of goodbooks-10k's hidden books it finds two and a half times as many as popularity does",
    .enabled(if: FileManager.default.isReadableFile(atPath: real.path), "there is no \(real.path)"))
  func goodbooks() throws {
    // The books that most users rated: all of them take long where nothing is optimised.
    let file = try String(contentsOf: Self.real, encoding: .utf8)
    let (readings, began) = (try readings(file, chunk: 1 << 16, maxBooks: 400), ContinuousClock.now)
    let evaluation = RecommendationEvaluation(
      of: readings, rounds: 1, seed: 1, by: { NeighbourModel.neighbours(in: $0, on: .assumed()) })
    #expect(evaluation.trials > 600)
    #expect(evaluation.model.recall >= 2.5 * evaluation.popularity.recall, "\(evaluation)")
    #expect(evaluation.model.gain >= 2.5 * evaluation.popularity.gain)
    let report = RecommendationReport(evaluation, of: readings, rounds: 1, took: ContinuousClock.now - began)
    let lines = "\(report)".split(separator: "\n")
    #expect(lines.count == 4 && lines[2].hasPrefix("popularity") && lines[2].hasSuffix("1.00 x      "), "\(report)")
  }
}
