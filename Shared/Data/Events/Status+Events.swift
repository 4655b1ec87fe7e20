import TTRPC

extension Status {
  /// The reason of ``eventsGone``.
  static let eventsGoneReason = "EVENTS_GONE"

  static let eventsGone = Status(
    .failedPrecondition, reason: eventsGoneReason,
    "Events after this position are not kept any more; resync from the service's methods and follow from the newest")

  static let subscriptionRequired = Status(
    .invalidArgument, reason: "SUBSCRIPTION_REQUIRED",
    "The first message is a subscription, and every later one an acknowledgement")

  static let unexpectedAcknowledgement = Status(
    .invalidArgument, reason: "POSITION_INVALID",
    "Answers are acknowledged one by one, in their order, by their positions")

  static func logOfAnother(than service: String) -> Status {
    Status(
      .failedPrecondition, reason: "EVENT_LOG_MISMATCH",
      "This is the log of \(service), and another service's is meant: the address is the wrong one")
  }

  static func consumerOfAnother(_ consumer: String, caller: String) -> Status {
    Status(
      .permissionDenied, reason: "CONSUMER_MISMATCH",
      "\(caller) cannot follow as \(consumer), which is another's name")
  }
}
