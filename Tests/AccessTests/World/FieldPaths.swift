import Reflection

extension Schema {
  /// The fields that are set in a message, those of nested messages as `profiles.contact.email`. Of a list all elements count.
  func fieldPaths(of message: DynamicMessage) -> Set<String> {
    var paths: Set<String> = []
    for (number, content) in message.fields {
      guard let field = messages[message.typeName]?.field(numbered: number) else { continue }
      let values: [DynamicValue] =
        switch content {
        case .one(let value): [value]
        case .many(let values): values
        }
      for value in values {
        // A message without fields of the contract's own counts as one field.
        guard case .message(let nested) = value, !nested.typeName.hasPrefix("google."), !nested.fields.isEmpty else {
          paths.insert(field.name)
          continue
        }
        for path in fieldPaths(of: nested) { paths.insert("\(field.name).\(path)") }
      }
    }
    return paths
  }
}
