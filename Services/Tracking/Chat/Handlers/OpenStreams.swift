import Identifiers
import Synchronization
import TTRPC

/// How many streams each user has open at this replica, and whether their tokens are still valid.
final class OpenStreams: Sendable {
  private let counts = Mutex<[UserID: Int]>([:])
  private let tokens: (any Authenticator)?

  /// As many as a user has devices, and some that are not known to have ended.
  private static let most = 20

  init(tokens: (any Authenticator)?) { self.tokens = tokens }

  /// Runs `body` as one more stream of a user.
  func with<R>(_ user: UserID, _ body: () async throws -> R) async throws -> R {
    let isAllowed = counts.withLock { counts in
      guard counts[user, default: 0] < Self.most else { return false }
      counts[user, default: 0] += 1
      return true
    }
    guard isAllowed else { throw Status.tooManyStreams }
    defer {
      counts.withLock { counts in
        let left = counts[user, default: 1] - 1
        counts[user] = left > 0 ? left : nil
      }
    }
    return try await body()
  }

  /// Ends a stream whose token has expired, or whose token's session has ended ([ID-7]).
  ///
  /// - Parameter token: that of the stream's first message; the metadata take precedence.
  func requireValidToken(_ context: CallContext, orElse token: String) throws(Status) {
    guard let tokens else { return }
    _ = try tokens.caller(provenBy: context.metadata.bearerToken ?? token[...], for: .user)
  }
}
