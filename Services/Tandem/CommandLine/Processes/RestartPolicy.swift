/// The delay before a program that ended unexpectedly is restarted: short at first, longer each time it fails again.
struct RestartPolicy: Sendable, Equatable {
  /// Short enough that callers with retries do not notice the restart of a working program.
  static let firstPause = Duration.milliseconds(200)
  static let maxPause = Duration.seconds(10)
  /// After running for this long the delay starts from the beginning.
  static let goodRun = Duration.seconds(30)

  private var pause = Self.firstPause

  /// The delay before the next start, by how long the program ran.
  mutating func nextPause(afterRunning time: Duration) -> Duration {
    if time >= Self.goodRun { pause = Self.firstPause }
    defer { pause = min(pause * 2, Self.maxPause) }
    return pause
  }
}
