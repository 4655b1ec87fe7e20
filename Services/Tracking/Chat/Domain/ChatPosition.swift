/// Up to where a reader knows a conversation: all messages up to `sequence`, with all changes to them up to `revision`.
///
/// What is read after a position comes as changes to earlier messages first, in the order of the changes, then as later messages in the order of
/// their numbers, all of one moment. So a reader that stopped after any of them continues from ``after(_:_:)`` without a gap.
public struct ChatPosition: Sendable, Hashable {
  public var sequence: Int64
  public var revision: Int64

  public static let beginning = ChatPosition(sequence: 0, revision: 0)

  public init(sequence: Int64, revision: Int64) { (self.sequence, self.revision) = (sequence, revision) }

  /// Whether a reader at this position lacks a message of that number, changed last by that revision.
  public func lacks(_ sequence: Int64, _ revision: Int64) -> Bool {
    sequence > self.sequence || revision > self.revision
  }

  /// The position behind a message that was read next.
  public func after(_ sequence: Int64, _ revision: Int64) -> ChatPosition {
    ChatPosition(sequence: max(self.sequence, sequence), revision: max(self.revision, revision))
  }
}
