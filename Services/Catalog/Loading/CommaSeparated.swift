/// The fields of one record of comma-separated values (RFC 4180).
package enum CommaSeparated {
  /// The fields; `nil` if there is a quotation mark inside an unquoted field.
  package static func fields(of record: String) -> [String]? {
    var fields: [String] = []
    var rest = Substring(record)
    while true {
      guard let field = next(&rest) else { return nil }
      fields.append(field)
      guard let comma = rest.popFirst() else { return fields }
      guard comma == "," else { return nil }
    }
  }

  private static func next(_ rest: inout Substring) -> String? {
    guard rest.first == "\"" else {
      let field = rest.prefix { $0 != "," }
      rest = rest.dropFirst(field.count)
      return String(field)
    }
    rest = rest.dropFirst()
    var field = ""
    while true {
      let part = rest.prefix { $0 != "\"" }
      field += part
      rest = rest.dropFirst(part.count)
      guard rest.popFirst() != nil else { return nil }
      guard rest.first == "\"" else { return field }
      field.append("\"")
      rest = rest.dropFirst()
    }
  }
}
