/// The id of one `Subject`: an account's id cannot be passed where a session's is wanted.
///
/// `enum User {}` and `typealias UserID = Identifier<User>` is all a subject needs.
public struct Identifier<Subject>: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The id without its subject, as stores and messages carry it.
  public let uuid: UUID7

  /// The id of a `Subject`, which the source of the UUID guarantees.
  @inlinable
  public init(_ uuid: UUID7) {
    self.uuid = uuid
  }

  /// Reads the text of a UUID; `nil` when it is not one.
  @inlinable
  public init?(_ text: some StringProtocol) {
    guard let uuid = UUID7(text) else { return nil }
    self.init(uuid)
  }

  /// Whether `first` was made earlier (see `UUID7`).
  @inlinable
  public static func < (first: Identifier, second: Identifier) -> Bool { first.uuid < second.uuid }

  /// The UUID's lower-case text.
  @inlinable
  public var description: String { uuid.description }
}
