import Identifiers
import Synchronization
import TTRPC
import TandemTracking

/// How many streams of each user are open at this replica, so that one user, or a client that reconnects without end, does not take the
/// memory of all.
///
/// A stream that its client has left without a word counts until the connection is found dead.
final class StreamPlaces: Sendable {
  private let limit: Int
  /// No entry for users without a stream.
  private let open = Mutex<[UserID: Int]>([:])

  init(limit: Int) { self.limit = limit }

  /// Runs `body` as one of the user's streams.
  ///
  /// - Throws: RESOURCE_EXHAUSTED `TOO_MANY_STREAMS`; what `body` throws.
  func withPlace<R>(of user: UserID, _ body: () async throws -> R) async throws -> R {
    let isTaken = open.withLock { open in
      let count = open[user] ?? 0
      guard count < limit else { return false }
      open[user] = count + 1
      return true
    }
    guard isTaken else { throw Status.tooManyStreams(limit) }
    defer { leave(user) }
    return try await body()
  }

  private func leave(_ user: UserID) {
    open.withLock { open in
      let left = (open[user] ?? 1) - 1
      open[user] = left > 0 ? left : nil
    }
  }
}

extension Status {
  fileprivate static func tooManyStreams(_ limit: Int) -> Status {
    Status(
      TrackingReason.tooManyStreams, "You have \(limit) such streams open; end one of them first",
      retryAfter: .seconds(1))
  }
}
