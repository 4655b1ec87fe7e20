import ProtobufC
import ProtobufDescriptor

/// Answers `grpc.reflection.v1` and `v1alpha`, whose messages are the same bytes: tools such as grpcurl work without proto files.
public struct GRPCReflection: Sendable {
  private struct File: Sendable {
    let bytes: [UInt8]
    let dependencies: [String]
  }

  private var files: [String: File] = [:]
  private var fileOfSymbol: [String: String] = [:]
  private let services: [String]

  /// - Parameters:
  ///   - sets: serialized `google.protobuf.FileDescriptorSet`s.
  ///   - services: full names of the services that are listed.
  public init(descriptorSets sets: [[UInt8]], services: [String]) throws(ProtobufError) {
    self.services = services
    for set in sets {
      for file in try FileDescriptorSet(serialized: set).file {
        guard let name = file.name, files[name] == nil else { continue }
        var bare = file
        // Comments are several times as long as the rest, and no tool reads them here.
        bare.sourceCodeInfo = nil
        files[name] = File(bytes: bare.serialized(), dependencies: file.dependency)
        for symbol in Self.symbols(of: file) { fileOfSymbol[symbol] = name }
      }
    }
  }

  /// Answers one `ServerReflectionRequest`.
  func answer(_ request: [UInt8]) -> [UInt8] {
    var (field, content): (UInt32, [UInt8]) = (0, [])
    var wire = Reader(request[...])
    while let next = wire.next() {
      // Fields 3 to 7 are a choice, whose last member counts; 1 is a host.
      if (3...7).contains(next.number) { (field, content) = (next.number, next.content) }
    }
    let text = String(decoding: content, as: UTF8.self)
    var answer: [UInt8] = []
    Self.append(request, 2, to: &answer)
    switch field {
    case 3: Self.append(found(text), 4, orError: "There is no file \(text)", to: &answer)
    case 4:
      Self.append(
        fileOfSymbol[text].flatMap(found), 4, orError: "There is no symbol \(text)", to: &answer)
    case 7:
      var list: [UInt8] = []
      for service in services {
        var entry: [UInt8] = []
        Self.append(Array(service.utf8), 1, to: &entry)
        Self.append(entry, 1, to: &list)
      }
      Self.append(list, 6, to: &answer)
    // Extensions of options only, which nothing needs to call a method.
    default: Self.append(nil, 4, orError: "Extensions are not served", to: &answer)
    }
    return answer
  }

  /// `FileDescriptorResponse`: the file and what it imports.
  private func found(_ name: String) -> [UInt8]? {
    guard files[name] != nil else { return nil }
    var (response, added, open): ([UInt8], Set<String>, [String]) = ([], [], [name])
    while let next = open.popLast() {
      guard added.insert(next).inserted, let file = files[next] else { continue }
      Self.append(file.bytes, 1, to: &response)
      open += file.dependencies
    }
    return response
  }

  private static func append(_ content: [UInt8]?, _ field: UInt8, orError text: String, to out: inout [UInt8]) {
    if let content { return append(content, field, to: &out) }
    // `ErrorResponse`: NOT_FOUND and a message.
    var error: [UInt8] = [0x08, 5]
    append(Array(text.utf8), 2, to: &error)
    append(error, 7, to: &out)
  }

  private static func append(_ content: [UInt8], _ field: UInt8, to out: inout [UInt8]) {
    out.append(field << 3 | 2)
    var length = content.count
    while length >= 0x80 {
      out.append(UInt8(length & 0x7F) | 0x80)
      length >>= 7
    }
    out.append(UInt8(length))
    out += content
  }

  private static func symbols(of file: FileDescriptorProto) -> [String] {
    let prefix = file.package.map { $0.isEmpty ? "" : "\($0)." } ?? ""
    var symbols = file.enumType.map { prefix + ($0.name ?? "") }
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

/// The fields of a small message; ends at the first that is malformed.
private struct Reader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> (number: UInt32, content: [UInt8])? {
    guard let tag = varint(), tag >> 3 < 1 << 29 else { return nil }
    let number = UInt32(tag >> 3)
    switch tag & 7 {
    case 0: return varint().map { _ in (number, []) }
    case 2:
      guard let length = varint(), length <= UInt64(rest.count) else { return nil }
      let content = Array(rest.prefix(Int(length)))
      rest = rest.dropFirst(Int(length))
      return (number, content)
    default: return nil
    }
  }

  private mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
