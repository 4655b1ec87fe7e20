import Postgres
import TTRPC
import UserCalls

/// The status that a caller gets for a database error: whether to retry, and nothing else.
extension PostgresError: StatusConvertible {
  /// UNAVAILABLE while the database is unreachable, slow or takes no writes, RESOURCE_EXHAUSTED when too many calls
  /// wait for it or its disk is full, ABORTED after a conflict with another transaction, all with the time after which
  /// a retry makes sense; INTERNAL for every error that a handler should have handled.
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

  /// Why the database cannot be reached, as one line for the operator.
  var reachability: String { message.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

extension SQLState {
  /// Long enough for an operator, or for a cleanup, to have made room.
  private static let fullDiskDelay: Duration = .seconds(60)

  /// The status for an error that neither the caller nor the handler has caused; `nil` for all others.
  fileprivate var refusal: Status? {
    switch self {
    case .serializationFailure, .deadlockDetected: .concurrentChange
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
