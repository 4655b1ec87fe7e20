public import Identifiers
import Postgres

/// The username of a user.
public struct Naming: Sendable, Hashable {
  public let user: UserID
  /// The username as the user spells it.
  public let username: String

  public init(_ user: UserID, _ username: String) { (self.user, self.username) = (user, username) }

  /// Reads a username from the fields of an event or a response of identity.
  ///
  /// - Throws: when the id is not a UUID.
  package init(wire user: String, _ username: String) throws {
    guard let user = UserID(user) else { throw MalformedUserID() }
    (self.user, self.username) = (user, username)
  }

  private struct MalformedUserID: Error {}
}

/// The statements for usernames, which the table `users` holds.
public enum UsernamesSchema {}

extension NameUsers {
  /// - Parameter names: at most one for each user.
  public init(_ names: [Naming]) {
    self.init(userIDs: names.map(\.user), usernames: names.map(\.username))
  }
}

extension NewNames {
  init(among names: [Naming]) {
    self.init(userIDs: names.map(\.user), usernames: names.map(\.username))
  }
}
