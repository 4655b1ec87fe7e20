import ProtobufDescriptor

/// Writes the Swift enum of a protobuf enum.
struct EnumEmitter {
  let context: FileContext

  func emit(_ enumeration: EnumDescriptorProto, _ fullName: String, _ path: [Int32], to text: inout SwiftText)
    throws(GeneratorError)
  {
    var values: [(name: String, number: Int32, comment: [String])] = []
    var aliases: [(name: String, original: String, comment: [String])] = []
    for (index, value) in enumeration.value.enumerated() {
      let place = path + [Path.enumValues, Int32(index)]
      let name = SwiftName.enumCase(value.name ?? "", of: enumeration.plainName)
      guard name != "unrecognized", !values.contains(where: { $0.name == name }) else {
        throw context.failure(
          "\(fullName).\(value.name ?? "")", place, "its Swift name \(name) is taken; rename the value")
      }
      if let original = values.first(where: { $0.number == value.number }) {
        aliases.append((name, original.name, context.source.comment(place)))
      } else {
        values.append((name, value.number ?? 0, context.source.comment(place)))
      }
    }
    let name = SwiftName.declared(enumeration.plainName, suffix: "Enum")
    text.comment(context.source.comment(path))
    text.block("public enum \(name): ProtobufEnum") { text in
      for value in values {
        text.comment(value.comment)
        text.line("case \(value.name)")
      }
      text.line("/// A number that this version has no name for.")
      text.line("case unrecognized(Int32)")
      for alias in aliases {
        text.line()
        text.comment(alias.comment)
        text.line("public static let \(alias.name): \(name) = .\(alias.original)")
      }
      text.line()
      text.line("public static let allCases: [\(name)] = [\(values.map { "." + $0.name }.joined(separator: ", "))]")
      text.line("public static var protobufName: String { \"\(fullName)\" }")
      text.line()
      text.block("public init(rawValue: Int32)") { text in
        text.block("switch rawValue") { text in
          for value in values { text.line("case \(value.number): self = .\(value.name)") }
          text.line("default: self = .unrecognized(rawValue)")
        }
      }
      text.line()
      text.block("public var rawValue: Int32") { text in
        text.block("switch self") { text in
          for value in values { text.line("case .\(value.name): \(value.number)") }
          text.line("case .unrecognized(let number): number")
        }
      }
    }
  }
}
