import ArgumentParser
import CatalogDomain
import CatalogEvaluation
import CatalogLoading
import ServiceRuntime

/// `catalog-evaluation recommendations`.
struct EvaluateRecommendationsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recommendations",
    abstract: "Measure recommendations by the ratings of many readers, beside what most people read.",
    usage: "catalog-evaluation recommendations --ratings FILE [--rounds N] [--seed N]",
    discussion: """
      A file of comma-separated values whose first line names the columns user_id and book_id, such as goodbooks-10k's \
      ratings.csv: a reader who rated a book has read it. Of each reader one book is hidden, and looked for among ten that are \
      recommended because of the others. It needs no database.

      Exit status: 0 measured, 1 the file cannot be used, 64 wrong usage.
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
