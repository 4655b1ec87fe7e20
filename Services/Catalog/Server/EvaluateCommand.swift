import ArgumentParser
import CatalogDomain
import CatalogLoading
import ServiceRuntime

/// `catalog evaluate`: measures the quality of the catalog's results on real data.
struct EvaluateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate", abstract: "Measure what the catalog recommends and finds.",
    subcommands: [EvaluateRecommendationsCommand.self, EvaluateSearchCommand.self])
}

/// `catalog evaluate recommendations`.
struct EvaluateRecommendationsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recommendations",
    abstract: "Measure recommendations by the ratings of many readers, beside what most people read.",
    usage: "catalog evaluate recommendations --ratings FILE [--rounds N] [--seed N]",
    discussion: """
      A file of comma-separated values whose first line names the columns user_id and book_id, such as goodbooks-10k's \
      ratings.csv: whoever rated a book has read it. Of each reader one book is hidden, and looked for among ten that are \
      recommended because of the others. It needs no database.

      Exit status: 0 measured, 1 the file cannot be used, 2 wrong usage.
      """)

  @Option(help: "The ratings; - is standard input.")
  var ratings: String

  @Option(help: "How often a book of each reader is hidden, each time another one.")
  var rounds = 5

  @Option(help: "Chooses the books that are hidden.")
  var seed: UInt64 = 1

  func validate() throws {
    guard (1...100).contains(rounds) else { throw ValidationError("--rounds is from 1 to 100") }
  }

  func run() async throws {
    let readings = try readings()
    let began = ContinuousClock.now
    let evaluation = RecommendationEvaluation(
      of: readings, rounds: rounds, seed: seed, by: { NeighbourModel.neighbours(in: $0, on: .assumed()) })
    print(
      RecommendationReport(evaluation, of: readings, rounds: rounds, took: ContinuousClock.now - began))
  }

  private func readings() throws -> Readings {
    do {
      let chunks = try FileChunks(path: ratings)
      return try RatingsFile.readings { try chunks.next() }
    } catch let error as UnusableFile {
      throw StartupError(failure: "\(ratings) cannot be used: \(error.reason)")
    }
  }
}

/// The printed result of an evaluation.
struct RecommendationReport: CustomStringConvertible {
  let description: String

  init(_ evaluation: RecommendationEvaluation, of readings: Readings, rounds: Int, took: Duration) {
    func row(_ name: String, _ measure: RecommendationEvaluation.Measure) -> String {
      let better = measure.recall / evaluation.popularity.recall
      let cells = [Self.decimal(measure.recall, 4), Self.decimal(measure.gain, 4), "\(Self.decimal(better, 2)) x"]
      return name.padded(to: 16) + cells.map { $0.padded(to: 12) }.joined()
    }
    let count = readings.booksOfReaders.reduce(0) { $0 + $1.count }
    description = """
      \(readings.booksOfReaders.count) readers, \(readings.books.count) books, \(count) ratings; \
      \(evaluation.trials) books hidden in \(rounds) rounds, \(Self.decimal(took / .seconds(rounds), 1)) s each
      \("".padded(to: 16))\(["recall@10", "nDCG@10", "recall"].map { $0.padded(to: 12) }.joined())
      \(row("popularity", evaluation.popularity))
      \(row("recommended", evaluation.model))
      """
  }

  /// The value with `digits` decimal places.
  static func decimal(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite else { return "-" }
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let whole = "\(Int((value * scale).rounded()))"
    let padded = String(repeating: "0", count: max(0, digits + 1 - whole.count)) + whole
    return "\(padded.dropLast(digits)).\(padded.suffix(digits))"
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
