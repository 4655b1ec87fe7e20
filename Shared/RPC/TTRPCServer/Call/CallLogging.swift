import Logging
import TTRPC

/// Writes a line per call: failures at `info` (at `error` when the service itself is at fault), successes at `debug`.
///
/// Equal failures are sampled: of those of one method, code and reason from one address the first five are written,
/// then one now and then, whose `left_out` counts the others. Where the level is `debug` or below, all are written.
///
/// A cause that no handler mapped to a status is logged here, with the trace, and not sent to the caller.
///
/// A class, because each call copies its interceptors.
public final class CallLogging: ServerInterceptor {
  private let logger: Logger
  private let failures: SampledLog<Failure>

  /// What equal failures have in common.
  private struct Failure: Hashable {
    let method: MethodDescriptor
    let code: Code
    let reason: String?
    let cause: ObjectIdentifier?
    let network: ClientNetwork
  }

  /// - Parameter logger: its level decides whether successes are written.
  public init(_ logger: Logger) {
    self.logger = logger
    failures = SampledLog { leftOut in
      var metadata: Logger.Metadata = ["left_out": "\(leftOut.count)"]
      if let kind = leftOut.kind {
        metadata["rpc"] = "\(kind.method.fullName)"
        metadata["code"] = "\(kind.code.name)"
        metadata["peer"] = "\(kind.network)"
        if let reason = kind.reason { metadata["reason"] = "\(reason)" }
      }
      logger.log(level: leftOut.kind.map { Self.level(of: $0.code) } ?? .info, "calls left out", metadata: metadata)
    }
  }

  /// Writes the line of one call.
  public func callEnds(_ call: CallContext, _ outcome: CallOutcome) {
    if logger.logLevel <= .debug { return write(call, outcome, leftOut: 0) }
    guard let status = outcome.failure else { return }
    let failure = Failure(
      method: call.method, code: outcome.code, reason: status.errorInfo?.reason,
      cause: outcome.cause.map { ObjectIdentifier(type(of: $0)) }, network: call.network)
    failures.write(failure) { write(call, outcome, leftOut: $0) }
  }

  /// Reports the calls that were left out and not yet reported.
  public func serverStopped() { failures.tellRest() }

  private func write(_ call: CallContext, _ outcome: CallOutcome, leftOut: Int) {
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
    if leftOut > 0 { metadata["left_out"] = "\(leftOut)" }
    logger.log(level: Self.level(of: outcome.code), "call ended", metadata: metadata)
  }

  private static func level(of code: Code) -> Logger.Level {
    switch code {
    case .ok: .debug
    case .internal, .dataLoss: .error
    default: .info
    }
  }
}

extension Duration {
  /// Milliseconds with a fraction, cut to microseconds.
  fileprivate var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1_000
  }
}
