import ContractRules
import ProtobufC
import ProtobufDescriptor

extension Schema {
  /// Adds the files of a serialized `google.protobuf.FileDescriptorSet`; known declarations stay.
  public mutating func include(fileDescriptorSet bytes: [UInt8]) throws(ProtobufError) {
    for file in try FileDescriptorSet(serialized: bytes).file { try include(file) }
  }

  private mutating func include(_ file: FileDescriptorProto) throws(ProtobufError) {
    let source = SourceFile(file)
    for (index, message) in file.messageType.enumerated() {
      include(message, in: file.package ?? "", Place(source, [4, Int32(index)]))
    }
    for (index, type) in file.enumType.enumerated() {
      include(type, in: file.package ?? "", Place(source, [5, Int32(index)]))
    }
    for (index, service) in file.service.enumerated() {
      try include(service, in: file.package ?? "", Place(source, [6, Int32(index)]))
    }
  }

  private mutating func include(_ message: DescriptorProto, in scope: String, _ place: Place) {
    let name = Self.join(scope, message.name)
    let fields = message.field.enumerated().map { index, field in
      Field(field, oneofs: message.oneofDecl.map { $0.name ?? "" }, place.child(2, index))
    }
    let type = MessageType(
      fullName: name, fields: fields, isMapEntry: message.options?.mapEntry ?? false, comment: place.comment)
    if messages[name]?.comment.isEmpty ?? true { messages[name] = type }
    for (index, nested) in message.nestedType.enumerated() { include(nested, in: name, place.child(3, index)) }
    for (index, nested) in message.enumType.enumerated() { include(nested, in: name, place.child(4, index)) }
  }

  private mutating func include(_ type: EnumDescriptorProto, in scope: String, _ place: Place) {
    let name = Self.join(scope, type.name)
    let values = type.value.enumerated().map { index, value in
      EnumType.Value(name: value.name ?? "", number: value.number ?? 0, comment: place.child(2, index).comment)
    }
    guard enums[name]?.comment.isEmpty ?? true else { return }
    enums[name] = EnumType(fullName: name, values: values, comment: place.comment)
  }

  private mutating func include(
    _ service: ServiceDescriptorProto, in scope: String, _ place: Place
  ) throws(ProtobufError) {
    let name = Self.join(scope, service.name)
    var methods: [MethodType] = []
    for (index, method) in service.method.enumerated() {
      methods.append(try MethodType(method, of: name, place.child(2, index)))
    }
    guard services[name]?.comment.isEmpty ?? true else { return }
    services[name] = ServiceType(fullName: name, methods: methods, comment: place.comment)
  }

  private static func join(_ scope: String, _ name: String?) -> String {
    scope.isEmpty ? name ?? "" : "\(scope).\(name ?? "")"
  }
}

/// The syntax and the comments of a file.
private final class SourceFile {
  let isProto3: Bool
  private let comments: [[Int32]: String]

  init(_ file: FileDescriptorProto) {
    isProto3 = file.syntax == "proto3"
    let locations = file.sourceCodeInfo?.location ?? []
    comments = Dictionary(
      locations.compactMap { location in location.leadingComments.map { (location.path, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  func comment(at path: [Int32]) -> String {
    (comments[path] ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(" ") ? String($0.dropFirst()) : String($0) }
      .joined(separator: "\n")
      .trimmingNewlines
  }
}

/// The path of a declaration in its file, as in `SourceCodeInfo`: field numbers of descriptor.proto and indexes in turn.
private struct Place {
  let file: SourceFile
  let path: [Int32]

  init(_ file: SourceFile, _ path: [Int32]) {
    self.file = file
    self.path = path
  }

  var comment: String { file.comment(at: path) }

  func child(_ field: Int32, _ index: Int) -> Place {
    Place(file, path + [field, Int32(index)])
  }
}

extension Field {
  fileprivate init(_ field: FieldDescriptorProto, oneofs: [String], _ place: Place) {
    let kind = Kind(field)
    let oneof = field.oneofIndex.flatMap { oneofs.indices.contains(Int($0)) ? oneofs[Int($0)] : nil }
    let isOptional = field.proto3Optional ?? false
    let cardinality: Cardinality
    if field.label == .repeated {
      let isPackable = kind.wireType != 2 && kind != .group
      cardinality = .repeated(packed: isPackable && field.options?.packed ?? place.file.isProto3)
    } else if !place.file.isProto3 || isOptional || oneof != nil || kind.isMessage {
      cardinality = .explicit
    } else {
      cardinality = .implicit
    }
    self.init(
      name: field.name ?? "", jsonName: field.jsonName ?? field.name ?? "", number: field.number ?? 0, kind: kind,
      cardinality: cardinality, oneof: isOptional ? nil : oneof, comment: place.comment)
  }
}

extension Field.Kind {
  fileprivate init(_ field: FieldDescriptorProto) {
    // Type names in descriptors are fully qualified and begin with a dot.
    let typeName = String((field.typeName ?? "").drop { $0 == "." })
    switch field.type {
    case .double: self = .double
    case .float: self = .float
    case .int64: self = .int64
    case .uint64: self = .uint64
    case .int32: self = .int32
    case .fixed64: self = .fixed64
    case .fixed32: self = .fixed32
    case .bool: self = .bool
    case .string: self = .string
    case .message: self = .message(typeName)
    case .bytes: self = .bytes
    case .uint32: self = .uint32
    case .`enum`: self = .enumeration(typeName)
    case .sfixed32: self = .sfixed32
    case .sfixed64: self = .sfixed64
    case .sint32: self = .sint32
    case .sint64: self = .sint64
    case .group, .unrecognized, nil: self = .group
    }
  }

  var isMessage: Bool {
    if case .message = self { true } else { false }
  }
}

extension MethodType {
  fileprivate init(_ method: MethodDescriptorProto, of service: String, _ place: Place) throws(ProtobufError) {
    let rules = try MethodRules(method.options, of: service)
    let idempotency = method.options?.idempotencyLevel
    self.init(
      name: method.name ?? "", input: String((method.inputType ?? "").drop { $0 == "." }),
      output: String((method.outputType ?? "").drop { $0 == "." }), clientStreams: method.clientStreaming ?? false,
      serverStreams: method.serverStreaming ?? false, access: rules.access?.rawValue,
      callers: rules.callers, maxRequestBytes: rules.maxRequestBytes,
      isIdempotent: idempotency == .noSideEffects || idempotency == .idempotent, comment: place.comment)
  }
}

extension String {
  fileprivate var trimmingNewlines: String {
    var text = Substring(self)
    while text.last == "\n" { text.removeLast() }
    while text.first == "\n" { text.removeFirst() }
    return String(text)
  }
}
