import ProtobufC
import ProtobufDescriptor

/// The files of a contract, indexed by the symbols that they declare.
///
/// Files are kept and returned as the bytes that were passed in: options that this program does not know are not lost.
struct DescriptorIndex: Sendable {
  private var files: [String: File] = [:]
  private var fileOfSymbol: [String: String] = [:]

  private struct File: Sendable {
    let bytes: ArraySlice<UInt8>
    let dependencies: [String]
    let hasComments: Bool
  }

  /// Reads serialized `google.protobuf.FileDescriptorSet`s. Of a file that occurs twice the version with comments is
  /// kept.
  init(_ sets: [[UInt8]]) throws(ProtobufError) {
    for set in sets {
      for bytes in try Self.files(of: set) {
        let file = try FileDescriptorProto(serialized: bytes)
        guard let name = file.name else { throw .malformed }
        let hasComments = file.sourceCodeInfo?.location.isEmpty == false
        if let known = files[name], known.hasComments || !hasComments { continue }
        files[name] = File(bytes: bytes, dependencies: file.dependency, hasComments: hasComments)
        for symbol in Self.symbols(of: file) { fileOfSymbol[symbol] = name }
      }
    }
  }

  /// A serialized set with the file that declares `symbol` and everything it imports, imports first; nil when no file
  /// declares it.
  func set(declaring symbol: String) -> [UInt8]? {
    guard let name = fileOfSymbol[symbol] else { return nil }
    var set: [UInt8] = []
    var added: Set<String> = []
    func add(_ name: String) {
      guard added.insert(name).inserted, let file = files[name] else { return }
      for dependency in file.dependencies { add(dependency) }
      set.append(Self.fileTag)
      set.appendVarint(UInt64(file.bytes.count))
      set.append(contentsOf: file.bytes)
    }
    add(name)
    return set
  }

  /// Field 1, length-delimited: `repeated FileDescriptorProto file = 1`, the only field of a set.
  private static let fileTag: UInt8 = 0x0A

  private static func files(of set: [UInt8]) throws(ProtobufError) -> [ArraySlice<UInt8>] {
    var files: [ArraySlice<UInt8>] = []
    var rest = set[...]
    while let tag = rest.popFirst() {
      guard tag == fileTag, let length = rest.popVarint(), length <= UInt64(rest.count) else { throw .malformed }
      files.append(rest.prefix(Int(length)))
      rest = rest.dropFirst(Int(length))
    }
    return files
  }

  private static func symbols(of file: FileDescriptorProto) -> [String] {
    let prefix = file.package.map { $0.isEmpty ? "" : "\($0)." } ?? ""
    var symbols = file.enumType.map { prefix + ($0.name ?? "") } + file.extension.map { prefix + ($0.name ?? "") }
    for service in file.service {
      let name = prefix + (service.name ?? "")
      symbols.append(name)
      symbols += service.method.map { "\(name).\($0.name ?? "")" }
    }
    func add(_ message: DescriptorProto, in prefix: String) {
      let name = prefix + (message.name ?? "")
      symbols.append(name)
      symbols += message.enumType.map { "\(name).\($0.name ?? "")" }
      for nested in message.nestedType { add(nested, in: "\(name).") }
    }
    for message in file.messageType { add(message, in: prefix) }
    return symbols
  }
}

extension [UInt8] {
  fileprivate mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}

extension ArraySlice<UInt8> {
  fileprivate mutating func popVarint() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
