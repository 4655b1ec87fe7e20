/// JSON that does not match the message type, with the path of the error.
public struct MappingError: Error, Equatable, CustomStringConvertible {
  /// From the message down, `profile.interests[2]`; empty for the message itself.
  public private(set) var path: String
  public let reason: String

  init(_ reason: String, at path: String = "") {
    self.path = path
    self.reason = reason
  }

  /// "profile.interests[2]: …".
  public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }

  func under(_ step: String) -> MappingError {
    let separator = path.isEmpty || path.hasPrefix("[") ? "" : "."
    return MappingError(reason, at: step + separator + path)
  }
}

/// Runs `body` and adds `step` to the path of its errors.
func at<R>(_ step: String, _ body: () throws(MappingError) -> R) throws(MappingError) -> R {
  do { return try body() } catch { throw error.under(step) }
}
