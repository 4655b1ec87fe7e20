public import Identifiers
import Synchronization
public import TTRPC

/// How many streams of each user are open at this replica, so that one user, or a client that reconnects without end, does not take the
/// memory of all.
///
/// A stream that its client has left without a word counts until the connection is found dead.
public final class StreamPlaces: Sendable {
  private let limit: Int
  private let refusal: @Sendable (Int) -> Status
  /// No entry for users without a stream.
  private let open = Mutex<[UserID: Int]>([:])

  /// - Parameter refusal: what a stream beyond the limit is refused with.
  public init(limit: Int, refusal: @escaping @Sendable (_ limit: Int) -> Status) {
    (self.limit, self.refusal) = (limit, refusal)
  }

  /// Runs `body` as one of the user's streams.
  ///
  /// - Throws: the refusal; what `body` throws.
  public func withPlace<R>(of user: UserID, _ body: () async throws -> R) async throws -> R {
    let isTaken = open.withLock { open in
      let count = open[user] ?? 0
      guard count < limit else { return false }
      open[user] = count + 1
      return true
    }
    guard isTaken else { throw refusal(limit) }
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
