import Logging
import Synchronization

/// Logs when a producer has not been followed for a while. It may be unavailable; or its address or the certificates
/// are wrong, which nothing else would report, because a client waits for a connection without logging.
final class EventStreamWatch: Sendable {
  private let isFollowed = Atomic<Bool>(false)
  private let look: Duration
  private let logger: Logger

  /// - Parameter look: the interval of checks; a warning is logged after two in a row without a stream.
  init(every look: Duration, logger: Logger) {
    self.look = look
    self.logger = logger
  }

  /// Called when the producer has answered.
  func began() { isFollowed.store(true, ordering: .relaxed) }

  /// Called when the stream is over, or is yet to be opened.
  func ended() { isFollowed.store(false, ordering: .relaxed) }

  /// Checks until the task is cancelled, and logs each change once.
  func run() async {
    var inVain = 0
    while true {
      // It throws only the cancellation that ends the loop.
      do { try await Task.sleep(for: look) } catch { return }
      let wasMissing = inVain >= 2
      inVain = isFollowed.load(ordering: .relaxed) ? 0 : inVain + 1
      if inVain == 2 {
        logger.warning("events have not been followed for a while; is the producer up, and is its address right?")
      } else if inVain == 0, wasMissing {
        logger.notice("events are followed again")
      }
    }
  }
}
