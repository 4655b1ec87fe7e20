import Metrics

/// The handles of the module's metrics.
public struct LiveMetrics: Sendable {
  /// The description of each metric, by its label.
  public static let descriptions: [String: String] = [
    "live_messages_published": "Live messages that this process was given to send.",
    "live_messages_received":
      "Live messages and gaps that came in from the bus, each counted once however many subscribers hear it.",
    "live_messages_dropped":
      "Live messages that were not sent or not read for want of room; a gap went in their place.",
    "live_gaps":
      "Times that a subscriber was told to catch up from the database, the beginning of each subscription included.",
    "live_reconnections": "Times that the bus was reached again after it was away.",
    "live_subscriptions": "Live subscriptions that are open.",
  ]

  let published = Counter(label: "live_messages_published")
  let received = Counter(label: "live_messages_received")
  let dropped = Counter(label: "live_messages_dropped")
  let gaps = Counter(label: "live_gaps")
  let reconnections = Counter(label: "live_reconnections")
  let subscriptions = Meter(label: "live_subscriptions")

  init() {}
}
