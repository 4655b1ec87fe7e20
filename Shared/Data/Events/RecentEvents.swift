import Backoff
import GoogleProtobuf
public import Logging
public import ProtobufC
public import ServiceLifecycle
public import TTRPC
import TandemEvents

/// Follows the events of a recent window, and every new one at once, in memory: for state that every process needs and
/// no database has to hold.
///
/// Each is seen at least once, in no order, and without waiting for older transactions of the producer's.
public struct RecentEvents<E: PublishedEvent>: Service {
  private let client: EventStreamClient
  private let window: Swift.Duration
  private let logger: Logger
  private let see: @Sendable (E) -> Void
  private let caughtUp: @Sendable () -> Void

  /// - Parameters:
  ///   - window: how long ago the first events may have happened when a connection is made; at most half an hour.
  ///   - caughtUp: called whenever all events up to a moment ago have been seen.
  public init(
    _ type: E.Type, within window: Swift.Duration, through channel: any RPCChannel, logger: Logger,
    see: @escaping @Sendable (E) -> Void, caughtUp: @escaping @Sendable () -> Void
  ) {
    client = EventStreamClient(channel: channel)
    self.window = window
    self.logger = logger
    self.see = see
    self.caughtUp = caughtUp
  }

  /// Follows until the service stops.
  public func run() async throws {
    await cancelWhenGracefulShutdown {
      // Short: while nothing is received, changes elsewhere are unknown here.
      var backoff = Backoff(first: .milliseconds(20), max: .milliseconds(500))
      while !Task.isCancelled {
        do { try await follow { backoff.reset() } } catch is CancellationError { return } catch { note(error) }
        // It throws only the cancellation that ends the loop.
        do { try await Task.sleep(for: backoff.next()) } catch { return }
      }
    }
  }

  private func follow(_ succeeded: () -> Void) async throws {
    let seconds = GoogleProtobuf.Duration(seconds: window.components.seconds)
    let subscription = Subscription(topics: [E.topic.name], start: .recent(seconds))
    try await client.run(subscription) { answer in
      for event in answer.events where event.type == E.protobufName { see(event) }
      if answer.events.isEmpty { caughtUp() }
      succeeded()
    }
  }

  /// Passes an event on; one that cannot be read must not keep the others from being seen.
  private func see(_ event: Event) {
    do {
      see(try E(serialized: event.payload))
    } catch {
      logger.error(
        "a recent event cannot be read, and is left out",
        metadata: ["topic": "\(E.topic.name)", "position": "\(event.place)", "cause": "\(error)"])
    }
  }

  private func note(_ error: any Error) {
    let isPassing = (error as? Status)?.isPassing ?? false
    logger.log(
      level: isPassing ? .debug : .warning, "recent events cannot be followed",
      metadata: ["topic": "\(E.topic.name)", "cause": "\(error)"])
  }
}
