import TTRPC
import TandemEvents

/// A stream of events from the consumer's side.
struct EventStreamClient: Sendable {
  let channel: any RPCChannel

  /// Hands every answer to `take` and acknowledges it once that returns, until the stream ends.
  ///
  /// - Throws: what `take` throws; how the call ended, which is never well as long as the consumer wants more.
  func run(_ subscription: Subscription, _ take: (FollowResponse) async throws -> Void) async throws {
    var options = CallOptions()
    // While the producer is away there is nothing better to do than to wait for it.
    options.waitForReady = true
    try await EventLogClient(channel).follow(options) { requests, answers in
      try await requests.send(FollowRequest(step: .subscription(subscription)))
      for try await answer in answers {
        try await take(answer)
        try await requests.send(
          FollowRequest(step: .acknowledgement(Acknowledgement(position: answer.position))))
      }
    }
  }
}

extension Status {
  /// Whether a stream ended in the course of things: its server restarts, cannot be reached for now, or has had the client long enough.
  var isPassing: Bool { [.unavailable, .deadlineExceeded, .cancelled].contains(code) }
}
