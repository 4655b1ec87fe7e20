/// What became of a file's records.
package struct LoadOutcome: Sendable, Equatable {
  /// Records that were looked at.
  package var records = 0
  /// What they tell of that was not there.
  package var added = 0
  /// What they tell of that was there with something else.
  package var changed = 0
  /// What they tell of that was there just so.
  package var unchanged = 0
  /// What their file told of once, and tells of no more.
  package var removed = 0
  /// Records that were skipped, each with its reason.
  package var bad = 0
  /// Records that are no mistake and nothing to load.
  package var passedOver = 0

  package init() {}

  /// Takes the counts of a merge: a row of how many were added, changed, and there already.
  package mutating func take(counts row: [String?]?) {
    let numbers = (row ?? []).map { $0.flatMap { Int($0) } ?? 0 }
    precondition(numbers.count == 3, "a merge counts three things")
    (added, changed, unchanged) = (numbers[0], numbers[1], numbers[2])
  }
}

/// A record that was skipped.
package struct BadRecord: Sendable, Equatable {
  /// Where it begins, from 1.
  package let line: Int
  /// For who loads the file.
  package let reason: String

  package init(line: Int, reason: String) {
    self.line = line
    self.reason = reason
  }

  /// The record of which a row says that its id was there before: its line, the id, and where that was.
  ///
  /// - Returns: `nil` for a row with something else.
  package init?(repeated row: [String?]) {
    guard row.count == 3, let line = row[0].flatMap({ Int($0) }), let id = row[1], let first = row[2] else {
      return nil
    }
    self.init(line: line, reason: "the id \(id) is on line \(first) already")
  }
}
