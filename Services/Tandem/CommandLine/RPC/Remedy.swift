import Reflection
import TTRPC

/// What a caller does about a refusal, as `reasons.json` of the contract says it.
enum Remedy {
  /// For a refusal with google.rpc.RetryInfo.
  private static let later = "Repeat the call after the time in google.rpc.RetryInfo."

  /// - Returns: `nil` for a code that the suite does not refuse with.
  static func text(_ code: Code, hasRetryInfo: Bool) -> String? {
    if hasRetryInfo { return later }
    return switch code {
    case .aborted: "Read the state again, then repeat the call."
    case .alreadyExists: "It exists already; use it, or choose another."
    case .deadlineExceeded: "Repeat it with the same request_id and a longer timeout; it may have taken effect."
    case .failedPrecondition: "Change the state that the meaning names, then repeat the call."
    case .internal: "Report it with the trace id of the call."
    case .invalidArgument: "Correct the request; google.rpc.BadRequest names the fields."
    case .notFound: "What the request names does not exist for this caller; do not repeat the call."
    case .permissionDenied: "The caller may not do this; do not repeat the call."
    case .resourceExhausted: "Stay within the limit; waiting alone does not help."
    case .unauthenticated: "Authenticate again, then repeat the call."
    case .unavailable: "Repeat the call, elsewhere where there is a choice."
    case .unimplemented: "Call a server that has the method."
    default: nil
    }
  }
}

extension TTRPC.Status {
  /// What a caller does about it; `nil` for a status that no service of the suite refuses with.
  var remedy: String? { Remedy.text(code, hasRetryInfo: retryAfter != nil) }
}

extension TTRPC.Status {
  /// For a terminal, with what to do.
  func advisingText(_ schema: Schema) -> String {
    text(schema) + (remedy.map { "\n  remedy: \($0)" } ?? "")
  }

  /// For `-o json`, with what to do.
  func advisingJSON(_ schema: Schema) -> JSONValue {
    .object((json(schema).members ?? []) + (remedy.map { [JSONMember("remedy", .string($0))] } ?? []))
  }
}
