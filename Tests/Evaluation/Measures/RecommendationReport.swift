import CatalogDomain

/// The printed result of an evaluation.
package struct RecommendationReport: CustomStringConvertible {
  package let description: String

  package init(_ evaluation: RecommendationEvaluation, of readings: Readings, rounds: Int, took: Duration) {
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
