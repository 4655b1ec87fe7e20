import Postgres
import TTRPC

/// What a caller is told about a failing database: whether to try again, and nothing else.
extension PostgresError: StatusConvertible {
  /// UNAVAILABLE while the database is away, RESOURCE_EXHAUSTED when too much waits for it, both with the time after
  /// which another try makes sense; INTERNAL for everything that a handler should have foreseen.
  public var status: Status {
    if isUnavailable {
      return Status(
        .unavailable, reason: "DATABASE_UNAVAILABLE", "The service's database is away; try again shortly",
        retryAfter: .seconds(1))
    }
    if isOverloaded {
      return Status(
        .resourceExhausted, reason: "OVERLOADED", "Too many calls wait for the database; try again shortly",
        retryAfter: .seconds(1))
    }
    return Status(
      .internal, reason: "INTERNAL",
      "The service failed to answer; the cause is in its log under the call's trace id")
  }

  /// One line for an operator who started a service: what went wrong with the connection.
  var reachability: String { message.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
