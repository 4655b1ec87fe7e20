import Postgres

/// A page of a list: whose list it is, the key of the row after which the page begins, and the number of rows. Parameters `$1`, `$2` and
/// `$3` of a statement.
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

/// The start of a page, as SQL that uses the same index with and without a previous page.
enum Bounds {
  /// The parameter, or a value greater than every id.
  static func before(_ parameter: String) -> String {
    "coalesce(\(parameter), 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)"
  }
  /// The parameter, or a value less than every id.
  static func after(_ parameter: String) -> String {
    "coalesce(\(parameter), '00000000-0000-0000-0000-000000000000'::uuid)"
  }
}
