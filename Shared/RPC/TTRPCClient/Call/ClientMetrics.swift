import Metrics
import NIOCore
import Synchronization
import TTRPC

/// Counts the calls that clients make, by method. One for all clients of a process, passed to each by
/// ``RPCClient/Settings/metrics``.
public final class ClientMetrics: Sendable {
  private let factory: any MetricsFactory
  private let methods = Mutex<[MethodDescriptor: ClientMethodMetrics]>([:])

  /// - Parameter factory: where the metrics are registered; by default the process's own.
  public init(factory: any MetricsFactory = MetricsSystem.factory) {
    self.factory = factory
  }

  /// Counts a call that begins.
  func callBegins(_ method: MethodDescriptor) -> CountedCall { self.method(method).callBegins() }

  /// The metrics of one method, made when it is first called. Methods are those that this program knows, so they are
  /// bounded.
  func method(_ method: MethodDescriptor) -> ClientMethodMetrics {
    methods.withLock { methods in
      if let known = methods[method] { return known }
      let metrics = ClientMethodMetrics(method, factory)
      methods[method] = metrics
      return metrics
    }
  }
}

/// The metrics of one method as its callers see it: all attempts of a call count as one.
final class ClientMethodMetrics: Sendable {
  private let callsByCode: CallsByCode
  private let duration: Metrics.Timer
  private let inFlight: Meter
  private let retries: Counter

  init(_ method: MethodDescriptor, _ factory: any MetricsFactory) {
    let labels = [("service", method.service), ("method", method.name)]
    callsByCode = CallsByCode("rpc_client_calls", labels, factory: factory)
    duration = Metrics.Timer(label: "rpc_client_call_duration", dimensions: labels, factory: factory)
    inFlight = Meter(label: "rpc_client_calls_in_flight", dimensions: labels, factory: factory)
    retries = Counter(label: "rpc_client_retries", dimensions: labels, factory: factory)
  }

  func callBegins() -> CountedCall {
    inFlight.increment()
    return CountedCall(method: self, began: .now())
  }

  fileprivate func callEnded(_ code: Code, after duration: TimeAmount) {
    inFlight.decrement()
    callsByCode.add(code)
    self.duration.recordNanoseconds(duration.nanoseconds)
  }

  /// Counts a retry.
  func callRepeated() { retries.increment() }
}

/// A call that is counted as in progress.
struct CountedCall {
  fileprivate let method: ClientMethodMetrics
  fileprivate let began: NIODeadline

  /// Counts its end, once.
  ///
  /// - Parameter error: what ended it; an error that is not a status comes from the caller's own code.
  func ended(_ error: (any Error)?) {
    let code = error.map { ($0 as? Status)?.code ?? .cancelled } ?? .ok
    method.callEnded(code, after: .now() - began)
  }
}
