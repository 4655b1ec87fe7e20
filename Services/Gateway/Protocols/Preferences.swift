import HTTPTypes

/// What a client prefers, by the field `Prefer` (RFC 7240).
package enum Preferences {
  /// Whether the client wants to be told of what it sends and the server does not know: `Prefer: handling=strict`. Of several
  /// values the first counts.
  package static func areStrict(_ fields: HTTPFields) -> Bool {
    for field in fields[values: .prefer] {
      for preference in field.split(separator: ",") {
        // Parameters stand behind semicolons.
        let parts = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(trimmed)
        guard parts.first?.lowercased() == "handling" else { continue }
        return parts.count == 2 && ["strict", "\"strict\""].contains(parts[1])
      }
    }
    return false
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return start[...last]
  }
}
