public import Identifiers

/// How many direct conversations a user may begin ([TR-30]): as many as a person makes friends, not as many as a list has names.
public enum NewConversations {
  /// Of a window.
  public static let maxOfDay: Int32 = 50
  public static let window = Duration.seconds(24 * 3_600)

  /// How long to wait after having begun so many since the window's start; `nil` if they are allowed.
  public static func wait(_ begun: Int32, since start: Instant, at now: Instant) -> Duration? {
    begun > maxOfDay ? max(.zero, start + window - now) : nil
  }
}
