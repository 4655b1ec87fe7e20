import Identifiers
import Synchronization
import TTRPC

/// How many streams each user has open at this replica, and whether their tokens are still valid.
final class OpenStreams: Sendable {
  private let counts = Mutex<[UserID: Int]>([:])
  /// When users with streams were heard last, by a clock that is never set and by the service's.
  private let hearings = Mutex<[UserID: (since: ContinuousClock.Instant, at: Instant)]>([:])
  private let tokens: (any Authenticator)?

  /// As many as a user has devices, and some that are not known to have ended.
  private static let maxCount = 20

  init(tokens: (any Authenticator)?) { self.tokens = tokens }

  /// Runs `body` as one more stream of a user.
  func with<R>(_ user: UserID, _ body: () async throws -> R) async throws -> R {
    let isAllowed = counts.withLock { counts in
      guard counts[user, default: 0] < Self.maxCount else { return false }
      counts[user, default: 0] += 1
      return true
    }
    guard isAllowed else { throw Status.tooManyStreams }
    defer {
      counts.withLock { counts in
        let left = counts[user, default: 1] - 1
        counts[user] = left > 0 ? left : nil
        if left == 0 { hearings.withLock { $0[user] = nil } }
      }
    }
    return try await body()
  }

  /// Notes that a user has called a method: those who follow conversations are there by that.
  func heard(_ user: UserID, at now: Instant) {
    guard counts.withLock({ $0[user] != nil }) else { return }
    hearings.withLock { $0[user] = (.now, now) }
  }

  /// When a user with streams last called a method; `nil` for none yet.
  func lastHeard(_ user: UserID) -> (since: ContinuousClock.Instant, at: Instant)? { hearings.withLock { $0[user] } }

  /// Ends a stream whose token has expired, or whose token's session has ended ([ID-7]).
  ///
  /// - Parameter token: that of the stream's first message; the metadata take precedence.
  func requireValidToken(_ context: CallContext, orElse token: String) throws(Status) {
    guard let tokens else { return }
    _ = try tokens.caller(provenBy: context.metadata.bearerToken ?? token[...], for: .user)
  }
}
