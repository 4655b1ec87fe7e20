import Postgres

/// A page of a list: whose list it is, the key of the row that the page begins behind, and how many rows to look for. `$1`, `$2` and `$3` of a
/// statement.
struct ListPage<Subject: ColumnValue, Key: ColumnValue>: Sendable {
  let subject: Subject
  /// `nil` for the first page.
  let key: Key?
  let limit: Int64

  init(_ subject: Subject, _ key: Key?, _ limit: Int64) {
    (self.subject, self.key, self.limit) = (subject, key, limit)
  }

  func bind(_ p: inout Parameters) {
    p.append(subject)
    p.append(key)
    p.append(limit)
  }
}

/// Where a page begins, as SQL: with or without a page before it, the same index leads there.
enum Bounds {
  /// The parameter, or what is greater than every id.
  static func before(_ parameter: String) -> String {
    "coalesce(\(parameter), 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)"
  }
  /// The parameter, or what is less than every id.
  static func after(_ parameter: String) -> String {
    "coalesce(\(parameter), '00000000-0000-0000-0000-000000000000'::uuid)"
  }
}
