/// The outcome of a call, as gRPC numbers it (`google.rpc.Code`).
public enum Code: Int32, Sendable, CaseIterable {
  /// The call succeeded.
  case ok = 0
  /// The caller cancelled the call.
  case cancelled = 1
  /// An error without a known code.
  case unknown = 2
  /// The request is invalid, whatever the state of the system.
  case invalidArgument = 3
  /// The deadline passed before the call ended.
  case deadlineExceeded = 4
  /// The requested resource does not exist.
  case notFound = 5
  /// The resource to be created exists already.
  case alreadyExists = 6
  /// The caller is known and may not do this.
  case permissionDenied = 7
  /// A quota, a limit or a resource is exhausted.
  case resourceExhausted = 8
  /// The system is not in the state that the call needs; repeating it alone does not help.
  case failedPrecondition = 9
  /// The call lost against a concurrent one; retry from reading the state.
  case aborted = 10
  /// The request goes past a valid range.
  case outOfRange = 11
  /// The service or the method does not exist here.
  case unimplemented = 12
  /// An invariant was violated; the cause is in the service's log.
  case `internal` = 13
  /// The service cannot be reached or cannot answer now; a later retry may succeed.
  case unavailable = 14
  /// Data was lost or corrupted.
  case dataLoss = 15
  /// The caller is not authenticated: no token, or one that is not valid any more.
  case unauthenticated = 16

  /// The name in upper case with underscores, as in `DEADLINE_EXCEEDED`.
  public var name: String {
    switch self {
    case .ok: "OK"
    case .cancelled: "CANCELLED"
    case .unknown: "UNKNOWN"
    case .invalidArgument: "INVALID_ARGUMENT"
    case .deadlineExceeded: "DEADLINE_EXCEEDED"
    case .notFound: "NOT_FOUND"
    case .alreadyExists: "ALREADY_EXISTS"
    case .permissionDenied: "PERMISSION_DENIED"
    case .resourceExhausted: "RESOURCE_EXHAUSTED"
    case .failedPrecondition: "FAILED_PRECONDITION"
    case .aborted: "ABORTED"
    case .outOfRange: "OUT_OF_RANGE"
    case .unimplemented: "UNIMPLEMENTED"
    case .internal: "INTERNAL"
    case .unavailable: "UNAVAILABLE"
    case .dataLoss: "DATA_LOSS"
    case .unauthenticated: "UNAUTHENTICATED"
    }
  }
}
