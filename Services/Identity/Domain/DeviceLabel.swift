/// A label by which a user recognises a session or a passkey, such as "Ada's phone".
public struct DeviceLabel: Sendable, Hashable, CustomStringConvertible {
  /// The error message for an invalid label.
  public static let refusal = "The label may have at most 100 characters and no control characters"
  private static let longest = 100

  /// The label, which may be empty.
  public let description: String

  /// The label, or `nil` when it is too long or contains control characters.
  public init?(_ text: String) {
    let hasControls = text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    guard text.unicodeScalars.count <= Self.longest, !hasControls else { return nil }
    description = text
  }
}
