import ProtobufDescriptor

/// All files of a run with the Swift name of every type.
struct Schema {
  /// A message or enum.
  struct Entry {
    var fullName: String
    /// With the enclosing types, without the module.
    var swiftName: String
    var module: String
    var message: DescriptorProto?
    var enumeration: EnumDescriptorProto?
  }

  let files: [FileDescriptorProto]
  let modules: ModuleMap
  /// By full name, with its leading dot.
  private(set) var entries: [String: Entry] = [:]
  /// Full names, with leading dots, of the messages from which a cycle of messages can be reached.
  private(set) var recursive: Set<String> = []

  init(_ set: FileDescriptorSet, _ modules: ModuleMap) throws(GeneratorError) {
    files = set.file
    self.modules = modules
    for file in files {
      guard let module = modules.module(of: file.path) else {
        throw GeneratorError(file: file.path, element: "file", reason: "belongs to no module; add it to the module map")
      }
      let package = file.package.map { ".\($0)" } ?? ""
      for message in file.messageType { add(message, package, [], module.name) }
      for enumeration in file.enumType { add(enumeration, package, [], module.name) }
    }
    for name in entries.keys where reachesCycle(name) { recursive.insert(name) }
  }

  /// The type with a full name that starts with a dot. The compiler has checked that it exists.
  func entry(_ name: String) -> Entry {
    entries[name] ?? Entry(fullName: name, swiftName: "Never", module: "Swift")
  }

  /// The Swift spelling of a type as code of `module` writes it.
  func reference(_ name: String, from module: String) -> String {
    let entry = entry(name)
    return entry.module == module ? entry.swiftName : "\(entry.module).\(entry.swiftName)"
  }

  /// Whether a Swift struct for the message would have to store itself: a cycle of fields that are not repeated.
  func containsItself(_ name: String) -> Bool {
    var seen: Set<String> = []
    var waiting = [name]
    while let next = waiting.popLast() {
      for field in entries[next]?.message?.field ?? [] where field.type == .message && field.label != .repeated {
        if field.referencedType == name { return true }
        if seen.insert(field.referencedType).inserted { waiting.append(field.referencedType) }
      }
    }
    return false
  }

  private mutating func add(_ message: DescriptorProto, _ scope: String, _ outer: [String], _ module: String) {
    let fullName = "\(scope).\(message.plainName)"
    let path = outer + [SwiftName.declared(message.plainName, suffix: "Message")]
    entries[fullName] = Entry(
      fullName: String(fullName.dropFirst()), swiftName: path.joined(separator: "."), module: module, message: message)
    for nested in message.nestedType { add(nested, fullName, path, module) }
    for nested in message.enumType { add(nested, fullName, path, module) }
  }

  private mutating func add(_ enumeration: EnumDescriptorProto, _ scope: String, _ outer: [String], _ module: String) {
    let fullName = "\(scope).\(enumeration.plainName)"
    let path = outer + [SwiftName.declared(enumeration.plainName, suffix: "Enum")]
    entries[fullName] = Entry(
      fullName: String(fullName.dropFirst()), swiftName: path.joined(separator: "."), module: module,
      enumeration: enumeration)
  }

  private func neighbours(_ name: String) -> [String] {
    (entries[name]?.message?.field ?? []).filter { $0.type == .message }.map(\.referencedType)
  }

  private func reachesCycle(_ start: String) -> Bool {
    var onPath: Set<String> = []
    var finished: Set<String> = []
    func visit(_ name: String) -> Bool {
      if onPath.contains(name) { return true }
      guard !finished.contains(name) else { return false }
      onPath.insert(name)
      defer {
        onPath.remove(name)
        finished.insert(name)
      }
      return neighbours(name).contains(where: visit)
    }
    return visit(start)
  }
}

// Descriptors come from a compiler, which sets these fields always; an absent one reads as empty.
extension FileDescriptorProto {
  var path: String { name ?? "" }
  var isProto3: Bool { syntax == "proto3" }
}
extension DescriptorProto {
  var plainName: String { name ?? "" }
  var isMapEntry: Bool { options?.mapEntry == true }
  /// Whether an index of `oneofDecl` stands for the presence of one optional field.
  func isSynthetic(_ oneof: Int32) -> Bool {
    field.contains { $0.oneofIndex == oneof && $0.proto3Optional == true }
  }
}
extension EnumDescriptorProto { var plainName: String { name ?? "" } }
extension FieldDescriptorProto {
  var plainName: String { name ?? "" }
  var referencedType: String { typeName ?? "" }
}
