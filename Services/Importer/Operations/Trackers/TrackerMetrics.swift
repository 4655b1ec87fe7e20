import Metrics

/// The metrics of providers ([IM-6]).
package struct TrackerMetrics: Sendable {
  /// The description of each metric, by its label.
  package static let descriptions: [String: String] = [
    "tracker_requests": "Requests for data to providers of trackers, by provider.",
    "tracker_failures":
      "Requests to providers that brought nothing, by provider and cause: a status, token, answer or unreachable.",
    "tracker_requests_left": "Requests that a provider last said are left, by provider.",
    "tracker_breaker_opened":
      "How often this replica found that a provider does not answer, also by a probe, so that imports wait, by provider.",
    "tracker_breaker_open": "1 while imports wait because a provider does not answer, else 0, by provider.",
    "tracker_oldest_sync":
      "Seconds since the last import of the connected tracker that was not imported for the longest, by provider.",
  ]

  package init() {}

  func requested(_ provider: String) {
    Counter(label: "tracker_requests", dimensions: [("provider", provider)]).increment()
  }

  func failed(_ provider: String, _ cause: String) {
    Counter(label: "tracker_failures", dimensions: [("provider", provider), ("cause", cause)]).increment()
  }

  package func left(_ provider: String, _ number: Int64) {
    Meter(label: "tracker_requests_left", dimensions: [("provider", provider)]).set(number)
  }

  func opened(_ provider: String) {
    Counter(label: "tracker_breaker_opened", dimensions: [("provider", provider)]).increment()
  }

  package func breaker(_ provider: String, isOpen: Bool) {
    Meter(label: "tracker_breaker_open", dimensions: [("provider", provider)]).set(isOpen ? 1 : 0)
  }

  package func oldestSync(_ provider: String, seconds: Int64) {
    Meter(label: "tracker_oldest_sync", dimensions: [("provider", provider)]).set(seconds)
  }
}
