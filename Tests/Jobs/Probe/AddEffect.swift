import Identifiers
import Postgres

/// Records that a job ran.
struct AddEffect: Statement {
  typealias Row = Void
  static let sql = "insert into effects (key, due, replica) values ($1, $2, $3)"
  let key: String
  let due: Instant
  let replica: String

  func bind(_ p: inout Parameters) {
    p.append(key)
    p.append(due)
    p.append(replica)
  }
}
