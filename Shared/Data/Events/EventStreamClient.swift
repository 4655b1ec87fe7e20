import TTRPC
import TandemEvents

/// A stream of events at the consumer.
struct EventStreamClient: Sendable {
  let channel: any RPCChannel

  /// Calls `take` with every response and acknowledges it once that returns, until the stream ends.
  ///
  /// - Throws: what `take` throws; the error that ended the call, which never ends well while the consumer wants more.
  func run(_ subscription: Subscription, _ take: (FollowResponse) async throws -> Void) async throws {
    var options = CallOptions()
    // While the producer is unavailable the consumer can only wait for it.
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
  /// Whether a stream ended in the normal course: its server restarts, is unreachable for now, or has ended it for its
  /// duration.
  var isPassing: Bool { [.unavailable, .deadlineExceeded, .cancelled].contains(code) }
}
