import FoundationEssentials

/// Why a record in JSON could not be decoded.
enum JSONShape {
  /// For a text that is no JSON.
  static let broken = "its JSON cannot be read"

  /// The reason of a decoder's error: where valid JSON has another shape, the member that has it.
  static func reason(for error: any Error) -> String {
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.keyNotFound(_, let context):
      let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
      return path.isEmpty
        ? "it is JSON, but no object" : "its member \(path.drop { $0 == "." }) is not of the kind that is expected"
    default: return broken
    }
  }

  /// The reason for a record that another reader could not read.
  static func reason(forUnreadable text: String) -> String {
    struct AnyValue: Decodable {
      init(from decoder: any Decoder) {}
    }
    do {
      _ = try JSONDecoder().decode(AnyValue.self, from: Data(text.utf8))
      return "it is JSON, but a value that is read cannot be used"
    } catch {
      return broken
    }
  }
}
