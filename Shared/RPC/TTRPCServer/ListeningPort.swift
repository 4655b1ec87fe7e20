import Logging
import LoopExecutor
import NIOCore

/// The port of a server, which is closed once every client that has connected is served.
///
/// The system resets clients that it connected and that were not accepted when their port is closed, with the calls that they have sent: they
/// cannot know whether those were begun. What is left of that here are the microseconds between the last look and the close.
struct ListeningPort: Sendable {
  private let channel: any Channel
  private let group: LoopGroup
  private let logger: Logger

  /// - Parameter group: the loops that serve the port and its connections.
  init(_ channel: any Channel, _ group: LoopGroup, logger: Logger) {
    self.channel = channel
    self.group = group
    self.logger = logger
  }

  /// Closes the port once every client connected before is a connection on its loop, and none waits.
  ///
  /// - Throws: the system's error; `ChannelError.alreadyClosed`.
  func close() async throws {
    for _ in 0..<Self.looks {
      try await channel.eventLoop.scheduleTask(in: Self.pause) {}.futureResult.get()
      // From here on no client is accepted.
      guard try await ifNoneWaits({ channel.setOption(.autoRead, value: false) }) else { continue }
      try await handOver()
      if try await ifNoneWaits({ channel.close() }) { return }
    }
    logger.warning("the port is closed with clients that could not be accepted")
    try await channel.close()
  }

  /// Between two checks, and before the first.
  private static let pause = TimeAmount.milliseconds(5)
  /// Checks for waiting clients. After each the loop accepts some of them, unless there are no descriptors left.
  private static let looks = 500

  // MARK: Clients that wait

  /// Calls `act` in the same turn of the loop in which it finds that no client waits to be accepted; else lets the loop
  /// accept those that wait.
  ///
  /// - Returns: whether it called `act`.
  private func ifNoneWaits(_ act: @escaping @Sendable () -> EventLoopFuture<Void>) async throws -> Bool {
    try await channel.eventLoop.flatSubmit {
      guard channel.isActive else { return channel.eventLoop.makeFailedFuture(ChannelError.alreadyClosed) }
      return waiting().flatMap { count in
        count == 0 ? act().map { true } : channel.setOption(.autoRead, value: true).map { false }
      }
    }.get()
  }

  /// How many clients are connected and not accepted. On the loop, with the result at once.
  private func waiting() -> EventLoopFuture<UInt32> {
    guard let options = channel as? any SocketOptionProvider else { return channel.eventLoop.makeSucceededFuture(0) }
    // For a listening port the system returns their number in this field.
    return options.getTCPInfo().map(\.tcpi_unacked)
  }

  /// Returns once accepted clients are on their loops: they are set up there, and then by the port's own loop, which
  /// has to be open.
  private func handOver() async throws {
    for executor in group.executors { try await executor.loop.submit {}.get() }
    try await channel.eventLoop.submit {}.get()
  }
}
