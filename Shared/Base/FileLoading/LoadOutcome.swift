/// The counts of what a load did with a file's records.
package struct LoadOutcome: Sendable, Equatable {
  /// Records that were read.
  package var records = 0
  /// Entries that were not stored before.
  package var added = 0
  /// Entries that were stored with other content.
  package var changed = 0
  /// Entries that were stored with the same content.
  package var unchanged = 0
  /// Entries that came from an earlier version of the file and are missing from this one.
  package var removed = 0
  /// Records that were skipped, each with its reason.
  package var bad = 0
  /// Records that are correct but not to be loaded.
  package var passedOver = 0

  package init() {}

  /// Adds the counts of a merge, from a row with the numbers added, changed and unchanged.
  package mutating func take(counts row: [String?]?) {
    let numbers = (row ?? []).map { $0.flatMap { Int($0) } ?? 0 }
    precondition(numbers.count == 3, "a merge counts three things")
    (added, changed, unchanged) = (added + numbers[0], changed + numbers[1], unchanged + numbers[2])
  }
}

/// A record that was skipped.
package struct BadRecord: Sendable, Equatable {
  /// Its first line, from 1.
  package let line: Int
  /// For the operator who loads the file.
  package let reason: String

  package init(line: Int, reason: String) {
    self.line = line
    self.reason = reason
  }

  /// The bad record that a row reports as a repeated id: its line, the id, and the place of the first one.
  ///
  /// - Returns: `nil` for any other row.
  package init?(repeated row: [String?]) {
    guard row.count == 3, let line = row[0].flatMap({ Int($0) }), let id = row[1], let first = row[2] else {
      return nil
    }
    self.init(line: line, reason: "the id \(id) is on line \(first) already")
  }
}
