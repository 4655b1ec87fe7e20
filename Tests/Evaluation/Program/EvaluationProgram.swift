import ArgumentParser

/// `catalog-evaluation`: measures the quality of the catalog's results on real data.
@main
struct EvaluationProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalog-evaluation", abstract: "Measure what the catalog recommends and finds.",
    subcommands: [EvaluateRecommendationsCommand.self, EvaluateSearchCommand.self])
}
