import Metrics
import NIOCore

/// The figures of one method: calls by code, their duration, and how many are running.
///
/// The handles are made when the method is registered, so that counting a call looks nothing up.
final class MethodMetrics: Sendable {
  private let callsByCode: [Counter]
  private let duration: Metrics.Timer
  private let inFlight: Meter

  init(_ method: MethodDescriptor) {
    let labels = [("service", method.service), ("method", method.name)]
    callsByCode = Code.allCases.map { Counter(label: "rpc_server_calls", dimensions: labels + [("code", $0.name)]) }
    duration = Metrics.Timer(label: "rpc_server_call_duration", dimensions: labels)
    inFlight = Meter(label: "rpc_server_calls_in_flight", dimensions: labels)
  }

  func callBegan() {
    inFlight.increment()
  }

  func callEnded(_ code: Code, after duration: TimeAmount) {
    inFlight.decrement()
    callsByCode[Int(code.rawValue)].increment()
    self.duration.recordNanoseconds(duration.nanoseconds)
  }
}
