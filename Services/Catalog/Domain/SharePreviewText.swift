/// What a preview of a share link says beneath its title ([CA-15]).
package enum SharePreviewText {
  /// The most characters of a line: clients cut longer ones.
  static let maxCharacters = 200
  /// Exercises that are named one by one.
  static let maxNamed = 3

  /// Of a book: its authors and year, and nothing of its owner.
  ///
  /// - Parameter year: negative for years BC; `nil` if it is unknown.
  package static func book(_ authors: [String], _ year: Int32?) -> String {
    let names = authors.joined(separator: ", ")
    guard let year else { return cut(names) }
    return cut(names) + (year < 0 ? " (\(-Int64(year)) BC)" : " (\(year))")
  }

  /// Of a workout: what its owner says of it, else its exercises.
  package static func workout(_ description: String, _ exercises: [String]) -> String {
    guard description.isEmpty else { return cut(description) }
    let named = exercises.prefix(maxNamed).joined(separator: ", ")
    let more = exercises.count - maxNamed
    return more > 0 ? "\(named) and \(more) more" : named
  }

  private static func cut(_ text: String) -> String {
    text.count > maxCharacters ? text.prefix(maxCharacters - 1) + "…" : text
  }
}
