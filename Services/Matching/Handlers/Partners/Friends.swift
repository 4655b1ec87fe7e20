import Identifiers
import Logging
import TTRPC
import TandemIdentity

/// Tells friends from strangers: users who have a group in common with another ([MA-13]).
///
/// Identity is asked each time, so that a user who leaves a group, or is removed from it, becomes a stranger at once. Nothing is known without
/// it, and everyone is a stranger then.
struct Friends: Sendable {
  private let identity: (any RPCChannel)?
  private let logger: Logger

  /// Short, as the caller waits for the answer and gets one without it.
  private static let timeout = Duration.seconds(1)

  init(identity: (any RPCChannel)?, logger: Logger) { (self.identity, self.logger) = (identity, logger) }

  /// Those of some users who are friends of a user; none if identity does not answer.
  ///
  /// - Parameter users: at most a page.
  func among(_ users: [UserID], of user: UserID) async throws(CancellationError) -> [UserID] {
    guard let identity, !users.isEmpty else { return [] }
    do {
      let call = FindFriendsRequest(userID: user.description, otherUserIds: users.map(\.description))
      let answer = try await DirectoryClient(identity).findFriends(call, CallOptions(timeout: Self.timeout))
      // Users who were not asked about are left out, even if the answer names them.
      return Set(users).intersection(answer.friendUserIds.compactMap { UserID($0) }).sorted()
    } catch {
      if Task.isCancelled { throw CancellationError() }
      logger.warning("identity did not tell friends from strangers", metadata: ["cause": "\(error)"])
      return []
    }
  }
}
