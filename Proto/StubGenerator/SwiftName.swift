/// Swift's spelling of protobuf names.
enum SwiftName {
  /// `request_id` as `requestID`, `class` as `` `class` ``.
  static func member(_ name: String) -> String {
    let words = name.split(separator: "_").map(String.init)
    guard let first = words.first else { return "`\(name)`" }
    return escaped(lowerFirst(first) + words.dropFirst().map(capitalized).joined())
  }

  /// `COLOR_DARK_RED` of enum `Color` as `darkRed`.
  static func enumCase(_ value: String, of enumName: String) -> String {
    let prefix = upperSnake(enumName) + "_"
    let rest = value.hasPrefix(prefix) && value.count > prefix.count ? String(value.dropFirst(prefix.count)) : value
    let name = member(rest.lowercased())
    return name.first?.isNumber == true ? "_\(name)" : name
  }

  /// `sign_in` as `SignIn`, for the enum of a oneof.
  static func type(_ name: String) -> String {
    name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// A name that Swift keeps for itself gets a suffix: `Any` becomes `AnyMessage`.
  static func declared(_ name: String, suffix: String) -> String {
    ["Any", "Type", "Protocol", "Self"].contains(name) ? name + suffix : name
  }

  /// Types that generated code names without a module, so that no message may have these names.
  static let needed: Set<String> = [
    "Arena", "Array", "Bool", "Dictionary", "Double", "Float", "Int32", "Int64", "Optional", "ProtobufCMessage",
    "ProtobufCMessageDescriptor", "ProtobufEnum", "ProtobufError", "ProtobufMessage", "String", "UInt32", "UInt64",
    "UInt8", "UnknownField", "UnsafeBufferPointer", "UnsafeMutablePointer", "UnsafePointer", "FileDescriptors",
  ]

  /// A keyword gets backticks; `self` and `init`, which mean something after a dot in spite of them, an underscore.
  static func escaped(_ name: String) -> String {
    if name == "self" || name == "init" { return name + "_" }
    return keywords.contains(name) ? "`\(name)`" : name
  }

  private static func lowerFirst(_ word: String) -> String {
    word == word.uppercased() ? word.lowercased() : word.prefix(1).lowercased() + word.dropFirst()
  }

  /// Swift writes acronyms in one case; these are the ones that contracts use.
  private static func capitalized(_ word: String) -> String {
    ["id", "url", "uri", "http", "https"].contains(word)
      ? word.uppercased() : word.prefix(1).uppercased() + word.dropFirst()
  }

  private static func upperSnake(_ name: String) -> String {
    var result = ""
    for character in name {
      if character.isUppercase, let last = result.last, last.isLowercase || last.isNumber { result += "_" }
      result.append(character)
    }
    return result.uppercased()
  }

  /// A name as an argument label or after a dot, where most keywords need no backticks.
  static func label(_ name: String) -> String {
    let plain = name.filter { $0 != "`" }
    return ["inout", "var", "let"].contains(plain) ? name : plain
  }

  private static let keywords: Set<String> = [
    "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue", "default",
    "defer",
    "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
    "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
    "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
    "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}

extension SwiftName {
  /// `ListKeys` as `listKeys`.
  static func method(_ name: String) -> String { escaped(name.prefix(1).lowercased() + name.dropFirst()) }
}
