import Glibc
import Logging
import NIOCore

/// Stops a port from accepting while the system has no descriptor or memory for another connection, and resumes after
/// growing waits.
///
/// Without it the loop spins: a client that waits to be accepted keeps the port readable, and a port whose read failed
/// stays registered for reading, despite NIO's own back-off. Comes before that in the pipeline.
package final class AcceptPause: ChannelInboundHandler {
  package typealias InboundIn = any Channel

  /// Short enough for clients that wait when another one disconnects, and at most twenty failing attempts a second.
  private static let shortest = TimeAmount.milliseconds(50)
  private static let maxDuration = TimeAmount.seconds(1)
  /// A port that has run out of descriptors does so again with nearly every client that disconnects.
  private static let timeBetweenLines = TimeAmount.minutes(1)

  private let logger: Logger
  private var pause = shortest
  private var lines = ThinnedLines(every: timeBetweenLines)

  package init(logger: Logger) {
    self.logger = logger
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    pause = Self.shortest
    context.fireChannelRead(data)
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let failure = error as? IOError, Self.passing.contains(failure.errnoCode) else {
      return context.fireErrorCaught(error)
    }
    if let leftOut = lines.admit(at: .now()) {
      logger.warning(
        "no more clients are accepted for now: the system grants the process no more connections",
        metadata: ["cause": "\(failure)", "pauses_before": "\(leftOut)"])
    }
    set(false, context.channel)
    let channel = context.channel
    context.eventLoop.assumeIsolated().scheduleTask(in: pause) { self.set(true, channel) }
    pause = min(pause * 2, Self.maxDuration)
  }

  /// Errors that end when other descriptors or memory are released.
  private static let passing: Set<Int32> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

  private func set(_ accepts: Bool, _ channel: any Channel) {
    // A port that was closed meanwhile has nothing to accept.
    try? channel.syncOptions?.setOption(.autoRead, value: accepts)
  }
}
