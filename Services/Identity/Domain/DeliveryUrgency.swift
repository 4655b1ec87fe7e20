/// How urgent a mail or a push is compared to others that are due: the lower is sent first.
public enum DeliveryUrgency: Int16, Sendable, Hashable, CaseIterable, Comparable {
  /// Its recipient waits for it, or must know it for the safety of the account: verification, reset, security.
  case essential = 0
  /// A notice that is of no use some minutes later.
  case urgent = 1
  /// Every other notice.
  case ordinary = 2

  public static func < (one: DeliveryUrgency, other: DeliveryUrgency) -> Bool { one.rawValue < other.rawValue }
}

extension NotificationKind {
  public var urgency: DeliveryUrgency { Self.urgent.contains(self) ? .urgent : .ordinary }

  /// What calls for doing something within minutes.
  private static let urgent: Set<NotificationKind> = [
    .sosStarted, .sosStopped, .notArrived, .wentOffline, .standingStill, .partnerCheckedIn, .placeOffered,
  ]
}

/// How the mails about notices to a recipient are gathered ([ID-61]).
public enum MailGathering {
  /// Mails about notices within ``recent``, from which on those to the recipient gather notices of all kinds: more than
  /// a busy evening has.
  public static let maxRecent = 20
  /// For so long mails are counted, and remembered for the pauses.
  public static let recent: Duration = .seconds(3_600)
  /// Between two mails for all kinds.
  public static let pauseOfAll: Duration = .seconds(3_600)

  /// Between two mails about notices of one kind that one user causes; meanwhile further ones are gathered.
  public static func pause(_ urgency: DeliveryUrgency) -> Duration {
    switch urgency {
    case .essential: .zero
    case .urgent: .seconds(60)
    case .ordinary: .seconds(900)
    }
  }
}
