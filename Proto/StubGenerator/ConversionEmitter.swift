/// Writes how a message comes out of its C struct and goes into it.
struct ConversionEmitter {
  let name: String
  let fullName: String
  let fields: [Field]
  let oneofs: [Oneof]
  let properties: [Property]

  private var cType: String { CName.type(fullName) }

  func emit(to text: inout SwiftText) {
    emitRead(to: &text)
    text.line()
    emitWrite(to: &text)
    for field in fields { emitMapReader(field, to: &text) }
    for oneof in oneofs { oneof.emitReader(cType, to: &text) }
  }

  private func emitRead(to text: inout SwiftText) {
    text.block("public static func read(_ message: UnsafePointer<ProtobufCMessage>) throws(ProtobufError) -> \(name)") {
      text in
      guard !properties.isEmpty else { return text.line("return \(name)()") }
      text.line("let c = UnsafeRawPointer(message).assumingMemoryBound(to: \(cType).self)")
      let canThrow = properties.contains(where: \.readingThrows)
      text.list(
        "return \(canThrow ? "try " : "")\(name)(", properties.map { "\($0.label): \($0.reading)" }, ")")
    }
  }

  private func emitWrite(to text: inout SwiftText) {
    text.block("public func write(in arena: Arena) -> UnsafeMutablePointer<ProtobufCMessage>") { text in
      text.line("let c = arena.message(\(cType).self, Self.cDescriptor)")
      for field in fields { emitWrite(field, to: &text) }
      for oneof in oneofs { oneof.emitWriter(to: &text) }
      if properties.contains(where: { $0.name == Property.unknownFields.name }) {
        text.line("arena.write(self.unknownFields, to: &c.pointee.base)")
      }
      text.line("return UnsafeMutableRawPointer(c).assumingMemoryBound(to: ProtobufCMessage.self)")
    }
  }

  private func emitWrite(_ field: Field, to text: inout SwiftText) {
    let swift = "self.\(field.swiftName)"
    switch field.presence {
    case .oneof: return
    case .plain: text.line("\(field.member) = \(field.value.write(swift))")
    case .repeated:
      text.line("\(field.count) = \(swift).count")
      text.line("\(field.member) = \(field.value.writeAll(swift))")
    case .pointer:
      text.block("if let value = \(swift)") { $0.line("\(field.member) = \(field.value.write("value"))") }
    case .flag:
      text.block("if let value = \(swift)") { text in
        text.line("\(field.flag) = 1")
        text.line("\(field.member) = \(field.value.write("value"))")
      }
    case .optional(let caseMember):
      text.block("if let value = \(swift)") { text in
        text.line("c.pointee.\(caseMember) = .init(rawValue: \(field.number))")
        text.line("\(field.member) = \(field.value.write("value"))")
      }
    case .map(let key, let value, let entry): emitMapWrite(field, key, value, entry, to: &text)
    }
  }

  /// Sorted by key, so that equal messages give equal bytes.
  private func emitMapWrite(_ field: Field, _ key: Value, _ value: Value, _ entry: String, to text: inout SwiftText) {
    let swift = "self.\(field.swiftName)"
    text.block("if !\(swift).isEmpty") { text in
      let cEntry = CName.type(entry)
      text.line("let entries = arena.room(for: UnsafeMutablePointer<\(cEntry)>?.self, count: \(swift).count)")
      let order = key.isOrdered("$0.key", "$1.key")
      text.block("for (index, pair) in \(swift).sorted(by: { \(order) }).enumerated()") { text in
        text.line("let entry = arena.message(\(cEntry).self, \(CName.descriptorFunction(entry))())")
        text.line("entry.pointee.key = \(key.write("pair.key"))")
        text.line("entry.pointee.value = \(value.write("pair.value"))")
        text.line("entries?[index] = entry")
      }
      text.line("\(field.count) = \(swift).count")
      text.line("\(field.member) = entries")
    }
  }

  private func emitMapReader(_ field: Field, to text: inout SwiftText) {
    guard case .map(let key, let value, _) = field.presence else { return }
    text.line()
    text.block(
      "private static func \(field.mapReader)(_ c: UnsafePointer<\(cType)>) throws(ProtobufError) -> \(field.swiftType)"
    ) { text in
      text.line("guard let entries = \(field.member) else { return [:] }")
      text.line("var all: \(field.swiftType) = [:]")
      text.block("for index in 0..<\(field.count)") { text in
        text.line("guard let entry = entries[index] else { throw .malformed }")
        let keyRead = key.read("entry.pointee.key", "\(field.fullName).key")
        let valueRead =
          value.kind == .message
          ? "\(value.swiftType).read(entry.pointee.value) ?? \(value.defaultValue)"
          : value.read("entry.pointee.value", "\(field.fullName).value")
        text.line("let key = \(key.readingThrows ? "try " : "")\(keyRead)")
        text.line("all[key] = \(value.readingThrows ? "try " : "")\(valueRead)")
      }
      text.line("return all")
    }
  }
}

extension Field {
  fileprivate var mapReader: String { "read\(SwiftName.type(name))" }

  /// The expression that reads the field from `c`, and whether it can throw.
  var reading: (String, Bool) {
    switch presence {
    case .plain: (value.read(member, fullName), value.readingThrows)
    case .flag: ("\(flag) == 0 ? nil : \(value.read(member, fullName))", value.readingThrows)
    case .optional(let caseMember):
      ("c.pointee.\(caseMember).rawValue == 0 ? nil : \(value.read(member, fullName))", value.readingThrows)
    case .pointer: ("\(value.swiftType).read(\(member))", true)
    case .repeated: (value.readAll(member, count, fullName), value.readingThrows)
    case .map: ("\(mapReader)(c)", true)
    case .oneof: ("", false)
    }
  }
}
