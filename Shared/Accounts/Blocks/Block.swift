public import Identifiers

/// A block of one user by another ([C-10]).
public struct Block: Sendable, Hashable {
  public let blocker: UserID
  public let blocked: UserID

  public init(of blocked: UserID, by blocker: UserID) { (self.blocker, self.blocked) = (blocker, blocked) }

  /// Reads a block from the ids of an event or a response of identity.
  ///
  /// - Throws: when an id is not a UUID.
  package init(wire blocker: String, _ blocked: String) throws {
    guard let blocker = UserID(blocker), let blocked = UserID(blocked) else { throw MalformedUserID() }
    (self.blocker, self.blocked) = (blocker, blocked)
  }

  private struct MalformedUserID: Error {}
}
