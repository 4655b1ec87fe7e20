import Logging
import Synchronization

/// Says when a producer has not been followed for a while. It may be away; or its address or the certificates are wrong, which nothing else
/// would tell, for whoever waits for a connection waits in silence.
final class EventStreamWatch: Sendable {
  private let isFollowed = Atomic<Bool>(false)
  private let look: Duration
  private let logger: Logger

  /// - Parameter look: how often is looked; two looks in a row are a while.
  init(every look: Duration, logger: Logger) {
    self.look = look
    self.logger = logger
  }

  /// The producer has answered.
  func began() { isFollowed.store(true, ordering: .relaxed) }

  /// The stream is over, or is yet to be opened.
  func ended() { isFollowed.store(false, ordering: .relaxed) }

  /// Looks until the task is cancelled, and says each change once.
  func run() async {
    var inVain = 0
    while true {
      // What is thrown is the cancellation that ends the loop.
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
