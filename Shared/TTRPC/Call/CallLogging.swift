import Logging

/// Writes one line per call: every failure at `info` (at `error` when the service itself is at fault), every success at `debug`.
///
/// A cause that no handler mapped to a status is logged here, with the trace, and told to nobody else.
public struct CallLogging: ServerInterceptor {
  private let logger: Logger

  /// Writes to `logger`, whose level decides whether successes are written.
  public init(_ logger: Logger) {
    self.logger = logger
  }

  /// Writes the line.
  public func callEnds(_ call: CallContext, _ outcome: CallOutcome) {
    guard outcome.failure != nil || logger.logLevel <= .debug else { return }
    var metadata: Logger.Metadata = [
      "rpc": "\(call.method.fullName)", "code": "\(outcome.code.name)", "peer": "\(call.peer)",
      "duration_ms": "\(outcome.duration.milliseconds)", "bytes_in": "\(outcome.received.bytes)",
      "bytes_out": "\(outcome.sent.bytes)",
    ]
    if call.method.kind.clientStreams { metadata["messages_in"] = "\(outcome.received.messages)" }
    if call.method.kind.serverStreams { metadata["messages_out"] = "\(outcome.sent.messages)" }
    if let service = call.peerService { metadata["peer_service"] = "\(service)" }
    if let traceID = call.traceID { metadata["trace_id"] = "\(traceID)" }
    if let reason = outcome.failure?.errorInfo?.reason { metadata["reason"] = "\(reason)" }
    if let cause = outcome.cause { metadata["cause"] = "\(String(reflecting: cause))" }
    logger.log(level: level(of: outcome), "call ended", metadata: metadata)
  }

  private func level(of outcome: CallOutcome) -> Logger.Level {
    switch outcome.code {
    case .ok: .debug
    case .internal, .dataLoss: .error
    default: .info
    }
  }
}

extension Duration {
  /// Whole and fractional milliseconds, cut to microseconds.
  fileprivate var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1_000
  }
}
