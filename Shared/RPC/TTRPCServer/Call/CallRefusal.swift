import Logging
import NIOCore
import TTRPC
import TTRPCFrames

/// Why a call, or a message of it, is refused: the limit for the metrics and the status for the client.
struct CallRefusal: Error {
  let reason: ServerLimit
  let status: Status

  init(_ reason: ServerLimit, _ status: Status) {
    self.reason = reason
    self.status = status
  }

  static let malformed = CallRefusal(.malformedRequest, .malformedRequest)
  static let draining = CallRefusal(.draining, .draining)
  static let overBudget = CallRefusal(.bufferedBytes, .overBudget)
  static let forwardedAddress = CallRefusal(.forwardedAddress, .forwardedAddress)
  static let unread = CallRefusal(.unreadBytes, .unread)

  /// The refusal of an unknown method.
  static func unknownMethod(_ request: RequestEnvelope) -> CallRefusal {
    request.namesAreText ? CallRefusal(.unknownMethod, .unimplemented(request)) : .malformed
  }

  /// The refusal of a call beyond a limit on the number of calls.
  static func tooMany(_ limit: ServerLimit, _ message: String) -> CallRefusal {
    CallRefusal(limit, .tooManyCalls(limit, message))
  }

  static let busy = tooMany(.calls, "More calls are running than this server takes; try again shortly")

  /// The refusal of a call whose client has all the places of its share.
  static func tooManyOf(_ limit: ServerLimit, _ client: String) -> CallRefusal {
    .tooMany(
      limit, "More calls are running than this server takes of one \(client) while others may come; try again shortly")
  }

  static func metadata(_ limits: RPCServer.Limits) -> CallRefusal {
    CallRefusal(.metadata, .metadataTooLarge(pairs: limits.metadataPairs, bytes: limits.metadataBytes))
  }

  /// The log line of the refusal; of the client's own text it has only the method's name, shortened, and the trace.
  func line(_ request: RequestEnvelope?, _ method: MethodDescriptor?, peer: String) -> Logger.Metadata {
    var line: Logger.Metadata = ["code": "\(status.code.name)", "reason": "\(reason.rawValue)", "peer": "\(peer)"]
    if let name = method?.fullName ?? request?.shortName { line["rpc"] = "\(name)" }
    if let trace = request?.metadata["traceparent"].flatMap(TraceHeaders.traceID) { line["trace_id"] = "\(trace)" }
    return line
  }
}

/// Samples log lines that may come by the thousand: one is written now and then, and counts those left out. A state
/// machine without I/O.
struct ThinnedLines {
  private let interval: TimeAmount
  private var next = NIODeadline.uptimeNanoseconds(0)
  private var leftOut = 0

  /// - Parameter interval: the least time between two lines.
  init(every interval: TimeAmount) {
    self.interval = interval
  }

  /// Decides whether a line is written at `now`.
  ///
  /// - Returns: how many lines were left out before it; `nil` when this one is left out too.
  mutating func admit(at now: NIODeadline) -> Int? {
    guard now >= next else {
      leftOut += 1
      return nil
    }
    next = now + interval
    defer { leftOut = 0 }
    return leftOut
  }
}
