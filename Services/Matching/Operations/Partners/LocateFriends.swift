import Identifiers
import MatchingStore
import Postgres
import TTRPC
import TandemIdentity

extension PartnerOperations {
  /// Short, as the caller waits for the answer and gets one without it.
  private static let timeout = Duration.seconds(1)

  /// The positions of those of some users who are friends of a user: who have a group in common ([MA-13]). It takes one call and one
  /// statement, whatever the number of users.
  ///
  /// - Parameter users: at most a page.
  package func locateFriends(among users: [UserID], of user: UserID) async throws -> [PositionsOf.Row] {
    let friends = try await friends(among: users, of: user)
    return friends.isEmpty ? [] : try await database.rows(PositionsOf(userIDs: friends))
  }

  /// Tells friends from strangers.
  ///
  /// Identity is asked each time, so that a user who leaves a group, or is removed from it, becomes a stranger at once. Nothing is known
  /// without it, and everyone is a stranger then.
  private func friends(among users: [UserID], of user: UserID) async throws(CancellationError) -> [UserID] {
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
