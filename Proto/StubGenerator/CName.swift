/// The spelling of protobuf names in C, which is that of protoc-c.
enum CName {
  /// `tandem.v1.FooBar` as `Tandem__V1__FooBar`.
  static func type(_ fullName: String) -> String { fullName.split(separator: ".").map(camel).joined(separator: "__") }

  /// `tandem.v1.FooBar` as `tandem__v1__foo_bar`.
  static func function(_ fullName: String) -> String {
    fullName.split(separator: ".").map { lower(String($0)) }.joined(separator: "__")
  }

  /// A field's member of the struct, as Swift spells it after a dot.
  static func field(_ name: String) -> String {
    let name = plainField(name)
    return ["self", "init"].contains(name) ? "`\(name)`" : name
  }

  /// A field's name where a prefix precedes it, as in `n_items` and `has_items`.
  static func plainField(_ name: String) -> String {
    let lowered = name.lowercased()
    return keywords.contains(lowered) ? lowered + "_" : lowered
  }

  /// The member that says which field of a oneof is set.
  static func oneofCase(_ name: String) -> String { lower(name) + "_case" }

  /// The function that gives a message's descriptor; ours, because Swift cannot take the address of a C constant.
  static func descriptorFunction(_ fullName: String) -> String { function(fullName) + "__descriptor_address" }

  private static func lower(_ name: String) -> String {
    var result = ""
    var afterUpper = true
    for character in name {
      if character.isUppercase && !afterUpper { result += "_" }
      result += character.lowercased()
      afterUpper = character.isUppercase
    }
    return result
  }

  private static func camel(_ name: Substring) -> String {
    name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private static let keywords: Set<String> = [
    "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "class", "compl",
    "const", "const_cast", "continue", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit",
    "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new",
    "not", "not_eq", "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
    "return", "short", "signed", "sizeof", "static", "static_cast", "struct", "switch", "template", "this", "throw",
    "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile",
    "wchar_t", "while", "xor", "xor_eq",
  ]
}
