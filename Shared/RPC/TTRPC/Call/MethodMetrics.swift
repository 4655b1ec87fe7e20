import Metrics

/// The metrics of one method: calls by code, their duration, how many are running, and their traffic.
///
/// The handles are kept, so that counting a call needs no lookup.
package final class MethodMetrics: Sendable {
  private let callsByCode: CallsByCode
  private let duration: Metrics.Timer
  private let inFlight: Meter
  private let receivedBytes: Counter
  private let sentBytes: Counter
  private let receivedMessages: Counter?
  private let sentMessages: Counter?

  init(_ method: MethodDescriptor) {
    let labels = [("service", method.service), ("method", method.name)]
    callsByCode = CallsByCode("rpc_server_calls", labels, factory: MetricsSystem.factory)
    duration = Metrics.Timer(label: "rpc_server_call_duration", dimensions: labels)
    inFlight = Meter(label: "rpc_server_calls_in_flight", dimensions: labels)
    receivedBytes = Counter(label: "rpc_server_received_bytes", dimensions: labels)
    sentBytes = Counter(label: "rpc_server_sent_bytes", dimensions: labels)
    let kind = method.kind
    receivedMessages = kind.clientStreams ? Counter(label: "rpc_server_received_messages", dimensions: labels) : nil
    sentMessages = kind.serverStreams ? Counter(label: "rpc_server_sent_messages", dimensions: labels) : nil
  }

  package func callBegan() {
    inFlight.increment()
  }

  package func callEnded(_ code: Code, afterNanoseconds duration: Int64) {
    inFlight.decrement()
    callsByCode.add(code)
    self.duration.recordNanoseconds(duration)
  }

  /// Counts a call that was refused before it began.
  package func callRefused(_ code: Code) { callsByCode.add(code) }

  package func received(bytes: Int) { receivedBytes.increment(by: bytes) }
  package func sent(bytes: Int) { sentBytes.increment(by: bytes) }
  package func receivedMessage() { receivedMessages?.increment() }
  package func sentMessage() { sentMessages?.increment() }
}

/// The metrics of RPC servers and clients.
public enum RPCMetrics {
  /// The description of each metric, by its label.
  public static let descriptions: [String: String] = [
    "rpc_server_calls": "Calls that ended, by method and status code.",
    "rpc_server_call_duration": "Time from a request's arrival to its answer, or to the end of its stream.",
    "rpc_server_calls_in_flight": "Calls that are running.",
    "rpc_server_received_bytes": "Bytes of frames that came in for calls, headers included, before TLS.",
    "rpc_server_sent_bytes": "Bytes of frames that went out for calls, headers included, before TLS.",
    "rpc_server_received_messages": "Messages that came in on clients' streams.",
    "rpc_server_sent_messages": "Messages that went out on servers' streams.",
    "rpc_server_connections": "Connections that are open.",
    "rpc_server_refusals": "Calls, messages and connections that were refused, by the reason.",
    "rpc_client_calls":
      "Calls to other services that ended, by method and status code; repetitions of a call are no calls.",
    "rpc_client_call_duration":
      "Time from a call to its answer or the end of its stream, waiting and repetitions included.",
    "rpc_client_calls_in_flight": "Calls to other services that are under way.",
    "rpc_client_retries": "Attempts to make a call beyond the first.",
  ]
}
