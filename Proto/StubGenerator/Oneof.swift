/// A oneof: an enum with one case for each member, and an optional property of that enum.
struct Oneof {
  var name: String
  var index: Int
  var members: [Field]
  var comment: [String]

  var swiftName: String { SwiftName.member(name) }
  var typeName: String { SwiftName.type(name) }

  private var caseMember: String { "c.pointee.\(CName.oneofCase(name))" }

  /// The enum.
  func emit(to text: inout SwiftText) {
    text.comment(comment)
    text.block("public enum \(typeName): Sendable, Equatable") { text in
      for member in members {
        text.comment(member.comment)
        text.line("case \(member.swiftName)(\(member.value.swiftType))")
      }
    }
  }

  func emitReader(_ cType: String, to text: inout SwiftText) {
    text.line()
    text.block(
      "private static func read\(typeName)(_ c: UnsafePointer<\(cType)>) throws(ProtobufError) -> \(typeName)?"
    ) { text in
      text.block("switch \(caseMember).rawValue") { text in
        for member in members {
          let value = member.value.read(member.member, member.fullName)
          text.line("case \(member.number): .\(member.swiftName)(\(member.value.readingThrows ? "try " : "")\(value))")
        }
        text.line("default: nil")
      }
    }
  }

  func emitWriter(to text: inout SwiftText) {
    text.block("switch self.\(swiftName)") { text in
      for member in members {
        text.line("case .\(member.swiftName)(let value)?:")
        text.line("  \(caseMember) = .init(rawValue: \(member.number))")
        text.line("  \(member.member) = \(member.value.write("value"))")
      }
      text.line("case nil: break")
    }
  }
}
