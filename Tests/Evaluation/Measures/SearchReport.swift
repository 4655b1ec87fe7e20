/// The printed result of an evaluation.
package struct SearchReport: CustomStringConvertible {
  package let description: String

  package init(_ trial: SearchTrial, of subject: SearchSubject = .books) {
    func line(_ name: String, _ cells: [String]) -> String {
      name.padded(to: 18) + cells.map { $0.padded(to: 10) }.joined()
    }
    let rows = trial.rows.map { row in
      let values = [row.catalog.top1, row.catalog.reciprocalRank, row.baseline.top1, row.baseline.reciprocalRank]
      return line(
        row.kind.rawValue, ["\(row.catalog.queries)"] + values.map { RecommendationReport.decimal($0, 3) })
    }
    let head = line("", ["queries", "top-1", "MRR@10", "BM25", "MRR@10"])
    let misses = trial.misses.map { miss in
      "not first: \(miss.query.kind.rawValue) \"\(miss.query.text)\", \(miss.rank.map { "rank \($0)" } ?? "not found")"
    }
    description = (["\(trial.documents) \(subject.rawValue)", head] + rows + misses).joined(separator: "\n")
  }
}
