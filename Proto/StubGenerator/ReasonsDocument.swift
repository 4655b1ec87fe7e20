import Foundation

/// Every reason of the contract as data: `reasons.json`.
struct ReasonsDocument: Encodable, Equatable {
  struct Entry: Encodable, Equatable {
    /// The package whose methods refuse with it; `tandem.rpc.v1` for what any method may refuse with.
    var package: String
    var reason: String
    /// In most cases one.
    var codes: [String]
    /// Empty where no comment says it, which the suite's own contract may not do.
    var meaning: String
    /// What a caller can do.
    var remedy: String
    /// Whether the call may succeed when it is repeated: with ABORTED once the state was read again, else as it is.
    var retryable: Bool
    /// Whether google.rpc.RetryInfo says when.
    var retryInfo: Bool
    /// Full names; empty where the comment of a service or the runtime has it.
    var methods: [String]
    /// Full names of those whose methods may all refuse with it.
    var services: [String]

    private enum CodingKeys: String, CodingKey {
      case package, reason, codes, meaning, remedy, retryable, methods, services
      case retryInfo = "retry_info"
    }
  }

  /// Sorted by package and reason.
  let reasons: [Entry]

  init(_ schema: Schema) {
    var found: [Entry] = []
    for module in schema.modules.modules {
      let contexts = schema.files.filter { module.files.contains($0.path) && $0.package?.hasPrefix("tandem.") == true }
        .map { FileContext(schema, $0, module) }
      for (package, files) in Dictionary(grouping: contexts, by: { $0.file.package ?? "" }) {
        found += Self.entries(package, Reasons(ofModule: files))
      }
    }
    reasons = found.sorted { ($0.package, $0.reason) < ($1.package, $1.reason) }
  }

  private static func entries(_ package: String, _ reasons: Reasons) -> [Entry] {
    reasons.byName.map { name, reason in
      let code = reason.codes.first ?? ""
      let isRetryable = reason.hasRetryInfo || code == "UNAVAILABLE" || code == "ABORTED"
      return Entry(
        package: package, reason: name, codes: reason.codes, meaning: reason.meaning,
        remedy: remedy(code, hasRetryInfo: reason.hasRetryInfo), retryable: isRetryable,
        retryInfo: reason.hasRetryInfo, methods: reason.methods,
        services: reason.services)
    }
  }

  /// What a code asks for; the comment says more where there is more to say.
  private static func remedy(_ code: String, hasRetryInfo: Bool) -> String {
    if hasRetryInfo { return "Repeat the call after the time in google.rpc.RetryInfo." }
    return switch code {
    case "ABORTED": "Read the state again, then repeat the call."
    case "RESOURCE_EXHAUSTED": "Stay within the limit; waiting alone does not help."
    case "INVALID_ARGUMENT", "OUT_OF_RANGE": "Correct the request; google.rpc.BadRequest names the fields."
    case "UNAUTHENTICATED": "Authenticate again, then repeat the call."
    case "PERMISSION_DENIED": "The caller may not do this; do not repeat the call."
    case "NOT_FOUND": "What the request names does not exist for this caller; do not repeat the call."
    case "ALREADY_EXISTS": "It exists already; use it, or choose another."
    case "FAILED_PRECONDITION": "Change the state that the meaning names, then repeat the call."
    case "DEADLINE_EXCEEDED": "Repeat it with the same request_id and a longer timeout; it may have taken effect."
    case "UNAVAILABLE": "Repeat the call, elsewhere where there is a choice."
    case "UNIMPLEMENTED": "Call a server that has the method."
    case "INTERNAL", "UNKNOWN", "DATA_LOSS": "Report it with the trace id of the call."
    default: ""
    }
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}
