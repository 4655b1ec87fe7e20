import GatewayProtocols
import Metrics
import Synchronization
import TTRPC

/// Counts the calls of the port by method, protocol and code, and their time.
final class CallMetrics: Sendable {
  private struct Key: Hashable {
    let method: MethodDescriptor
    let dialect: Dialect
    let code: Code
  }

  private struct Handles {
    let calls: Counter
    let duration: Metrics.Timer
  }

  private let handles = Mutex<[Key: Handles]>([:])
  private let refusals = Mutex<[String: Counter]>([:])
  let running = Meter(label: "gateway_calls_in_flight")

  /// The description of each metric, by its label.
  static let descriptions: [String: String] = [
    "gateway_calls": "Calls that ended, by method, protocol and status code.",
    "gateway_call_duration": "Time from a request's head to the end of its answer.",
    "gateway_calls_in_flight": "Calls that are running.",
    "gateway_connections": "Connections that are open.",
    "gateway_refusals": "Connections and requests that were refused, by the reason.",
  ]

  func ended(_ method: MethodDescriptor, _ dialect: Dialect, _ code: Code, afterNanoseconds time: Int64) {
    let handles = handles.withLock { handles in
      let key = Key(method: method, dialect: dialect, code: code)
      if let known = handles[key] { return known }
      let labels = [("service", method.service), ("method", method.name), ("protocol", dialect.name)]
      let made = Handles(
        calls: Counter(label: "gateway_calls", dimensions: labels + [("code", code.name)]),
        duration: Metrics.Timer(label: "gateway_call_duration", dimensions: labels))
      handles[key] = made
      return made
    }
    handles.calls.increment()
    handles.duration.recordNanoseconds(time)
  }

  func refused(_ reason: String) {
    refusals.withLock { refusals in
      if let known = refusals[reason] { return known }
      let made = Counter(label: "gateway_refusals", dimensions: [("reason", reason)])
      refusals[reason] = made
      return made
    }.increment()
  }
}
