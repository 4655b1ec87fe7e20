/// When a program that ended unasked is started again: soon, but each time later while it keeps ending.
struct RestartPolicy: Sendable, Equatable {
  /// Enough to start in, so that a restart of one that works goes unnoticed by callers that repeat.
  static let firstPause = Duration.milliseconds(200)
  static let maxPause = Duration.seconds(10)
  /// A program that ran for so long is held to work; its next end is a new case.
  static let goodRun = Duration.seconds(30)

  private var pause = Self.firstPause

  /// How long to wait before the next start, given how long the program ran.
  mutating func nextPause(afterRunning time: Duration) -> Duration {
    if time >= Self.goodRun { pause = Self.firstPause }
    defer { pause = min(pause * 2, Self.maxPause) }
    return pause
  }
}
