import Postgres
import TTRPC

/// What a caller is told about a failing database: whether to try again, and nothing else.
extension PostgresError: StatusConvertible {
  /// UNAVAILABLE while the database is away, slow or takes no writes, RESOURCE_EXHAUSTED when too much waits for it or
  /// it is full, ABORTED when another transaction was in the way, all with the time after which another try makes
  /// sense; INTERNAL for everything that a handler should have foreseen.
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
    return sqlState.refusal
      ?? Status(
        .internal, reason: "INTERNAL",
        "The service failed to answer; the cause is in its log under the call's trace id")
  }

  /// One line for an operator who started a service: what went wrong with the connection.
  var reachability: String { message.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

extension SQLState {
  /// Long enough for an operator, or for what cleans up, to have made room.
  private static let fullDiskDelay: Duration = .seconds(60)

  /// What a caller is told about a failure that is neither its own fault nor the handler's; `nil` for all others.
  fileprivate var refusal: Status? {
    switch self {
    case .serializationFailure, .deadlockDetected:
      Status(
        .aborted, reason: "CONCURRENT_CHANGE", "Somebody changed the same thing; try again", retryAfter: .zero)
    case .queryCanceled:
      Status(
        .unavailable, reason: "DATABASE_SLOW", "The service's database took too long; try again shortly",
        retryAfter: .seconds(1))
    case .readOnlyTransaction:
      Status(
        .unavailable, reason: "DATABASE_READ_ONLY", "The service's database takes no changes; try again shortly",
        retryAfter: .seconds(1))
    case .diskFull:
      Status(
        .resourceExhausted, reason: "DATABASE_FULL", "The service's database has no room left; try again later",
        retryAfter: Self.fullDiskDelay)
    default: nil
    }
  }
}
