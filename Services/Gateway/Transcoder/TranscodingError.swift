/// Why a message could not be turned into the other format.
public struct TranscodingError: Error, Equatable, CustomStringConvertible {
  /// The field in proto spelling, `profile.birth_date` or `tags[3]`; empty for the message itself.
  public var field: String
  /// What is wrong, as the end of a sentence about the field: `is not a timestamp`.
  public let problem: String

  init(_ problem: String) {
    field = ""
    self.problem = problem
  }

  public var description: String { field.isEmpty ? "The message \(problem)" : "\(field) \(problem)" }

  /// What an error shows of a name that a client chose.
  static func shown(_ name: String) -> String { String(String.UnicodeScalarView(name.unicodeScalars.prefix(100))) }

  /// Bytes of the longest path; of a longer one the inner names are left out.
  private static let maxPathBytes = 1_000

  /// The same error, seen from the message that has the field.
  func inside(_ name: String) -> TranscodingError {
    var error = self
    error.field = field.isEmpty ? name : field.first == "[" ? name + field : "\(name).\(field)"
    if error.field.utf8.count > Self.maxPathBytes { error.field = "\(name)…" }
    return error
  }

  static let malformed = TranscodingError("is not well-formed protobuf")
  static let tooDeep = TranscodingError("is nested too deeply")
  static let invalidUTF8 = TranscodingError("is not valid UTF-8")
}

/// How deep messages, arrays and objects may be nested, as protobuf's own readers have it.
let maxDepth = 100
