public import Identifiers

/// Somebody keeps somebody away ([C-10]).
public struct Block: Sendable, Hashable {
  /// Who blocks.
  public let blocker: UUID7
  /// Who is blocked.
  public let blocked: UUID7

  /// One person's block of another.
  public init<Person>(of blocked: Identifier<Person>, by blocker: Identifier<Person>) {
    (self.blocker, self.blocked) = (blocker.uuid, blocked.uuid)
  }

  /// A block as identity tells it.
  ///
  /// - Throws: when an id is nobody's.
  package init(told blocker: String, _ blocked: String) throws {
    guard let blocker = UUID7(blocker), let blocked = UUID7(blocked) else { throw NobodyNamed() }
    (self.blocker, self.blocked) = (blocker, blocked)
  }

  private struct NobodyNamed: Error {}
}
