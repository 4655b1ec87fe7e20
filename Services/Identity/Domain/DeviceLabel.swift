public import VisibleText

public enum DeviceLabelLimit: TextLimit {
  public static let name = "The label"
  /// Code points.
  public static let maxLength = 100
}

/// A label by which a user recognises a session or a passkey, such as "Ada's phone".
public struct DeviceLabel: Sendable, Hashable, CustomStringConvertible {
  /// The label, which may be empty.
  public let description: String

  /// The label, or what is wrong with what was typed; a blank one is empty.
  public static func read(_ typed: String) -> Result<DeviceLabel, TextFlaw> {
    if VisibleText<DeviceLabelLimit>.isBlank(typed) { return .success(DeviceLabel(description: "")) }
    return VisibleText<DeviceLabelLimit>.read(typed).map { DeviceLabel(description: $0.text) }
  }
}
