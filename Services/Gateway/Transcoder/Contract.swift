import ContractRules
import GatewayText
import ProtobufC
import ProtobufDescriptor

/// The methods of a contract and the tables of their messages, compiled once from its descriptors.
public struct Contract: Sendable {
  /// A method that can be called.
  public struct Method: Sendable {
    /// The full name of the service, `tandem.identity.v1.Accounts`.
    public let service: String
    /// `Register`.
    public let name: String
    public let input: MessageReference
    public let output: MessageReference
    public let clientStreams: Bool
    public let serverStreams: Bool
    /// Who may call it; `nil` where the contract does not say.
    public let access: MethodRules.Access?
    /// Bytes of the longest message that a client may send, in protobuf; `nil` where only the frame limits it.
    public let maxRequestBytes: Int?
    /// Whether it changes nothing.
    public let hasNoSideEffects: Bool
    /// Whether it may be repeated.
    public let isIdempotent: Bool
  }

  /// Whose methods a contract has.
  public enum Offering: Sendable {
    /// Those of every client and of users.
    case people
    /// Those that the operator's certificate opens.
    case operators

    /// The operator's name in the contract.
    private static let name = "operator"

    fileprivate func includes(_ rules: MethodRules) -> Bool {
      switch self {
      case .people: rules.access != .service
      case .operators: rules.access == .service && rules.callers[""]?.contains(Self.name) == true
      }
    }
  }

  /// A message type of the contract.
  public struct MessageReference: Sendable, Hashable {
    let index: Int
  }

  /// In the order of the descriptors.
  public let methods: [Method]
  let messages: [MessageTable]
  let enums: [EnumTable]
  private let byName: [String: Int]

  /// - Parameters:
  ///   - sets: serialized `google.protobuf.FileDescriptorSet`s; a file may be in several.
  ///   - types: full names of messages that are needed beside those of the methods.
  ///   - offering: whose methods it has; no other is known at all.
  public init(
    descriptorSets sets: [[UInt8]], types: [String] = [], offering: Offering = .people
  ) throws(ContractError) {
    var compiler = Compiler(offering: offering)
    for set in sets { try compiler.add(set) }
    methods = try compiler.methods()
    for type in types { _ = try compiler.reference(to: type) }
    messages = try compiler.finishedMessages()
    enums = compiler.enums
    byName = compiler.indexOfMessage
  }

  /// The full names of the messages that have tables, those of entries of maps left out.
  public var messageNames: [String] { messages.filter { !$0.isMapEntry }.map(\.fullName) }

  /// The message type of that full name, where it is needed by a method or was asked for.
  public func message(named name: String) -> MessageReference? { byName[name].map(MessageReference.init) }
}

/// Why descriptors cannot be compiled: a programmer's mistake, told at the start.
public struct ContractError: Error, CustomStringConvertible {
  public let description: String
}

/// Collects declarations, then compiles the messages that methods reach.
private struct Compiler {
  private struct Declared {
    let message: DescriptorProto
    let isProto3: Bool
  }

  private let offering: Contract.Offering
  private var declared: [String: Declared] = [:]
  private var declaredEnums: [String: EnumDescriptorProto] = [:]
  private var services: [(name: String, service: ServiceDescriptorProto)] = []
  private var knownFiles: Set<String> = []
  private(set) var indexOfMessage: [String: Int] = [:]
  private var indexOfEnum: [String: Int] = [:]
  private var tables: [MessageTable?] = []
  private(set) var enums: [EnumTable] = []

  init(offering: Contract.Offering) { self.offering = offering }

  mutating func add(_ set: [UInt8]) throws(ContractError) {
    let files: [FileDescriptorProto]
    do {
      files = try FileDescriptorSet(serialized: set).file
    } catch {
      throw ContractError(description: "descriptors that cannot be read: \(error)")
    }
    for file in files where knownFiles.insert(file.name ?? "").inserted {
      let scope = file.package ?? ""
      for message in file.messageType { add(message, in: scope, isProto3: file.syntax == "proto3") }
      for type in file.enumType { declaredEnums[Self.join(scope, type.name)] = type }
      for service in file.service { services.append((Self.join(scope, service.name), service)) }
    }
  }

  private mutating func add(_ message: DescriptorProto, in scope: String, isProto3: Bool) {
    let name = Self.join(scope, message.name)
    declared[name] = Declared(message: message, isProto3: isProto3)
    for nested in message.nestedType { add(nested, in: name, isProto3: isProto3) }
    for type in message.enumType { declaredEnums[Self.join(name, type.name)] = type }
  }

  mutating func methods() throws(ContractError) -> [Contract.Method] {
    var methods: [Contract.Method] = []
    for (name, service) in services {
      for method in service.method {
        let rules: MethodRules
        do {
          rules = try MethodRules(method.options, of: name)
        } catch {
          throw ContractError(description: "the options of \(name)/\(method.name ?? "") cannot be read: \(error)")
        }
        // Methods for services are not offered to anybody by HTTP, and their messages need no tables.
        guard offering.includes(rules) else { continue }
        let level = method.options?.idempotencyLevel
        methods.append(
          Contract.Method(
            service: name, name: method.name ?? "", input: try reference(to: Self.bare(method.inputType)),
            output: try reference(to: Self.bare(method.outputType)), clientStreams: method.clientStreaming ?? false,
            serverStreams: method.serverStreaming ?? false, access: rules.access,
            maxRequestBytes: rules.maxRequestBytes, hasNoSideEffects: level == .noSideEffects,
            isIdempotent: level == .noSideEffects || level == .idempotent))
      }
    }
    return methods
  }

  func finishedMessages() throws(ContractError) -> [MessageTable] {
    let finished = tables.compactMap { $0 }
    guard finished.count == tables.count else { throw ContractError(description: "a message has no table") }
    return finished
  }

  mutating func reference(to name: String) throws(ContractError) -> Contract.MessageReference {
    Contract.MessageReference(index: try message(name))
  }

  /// Messages whose JSON is special and which no method of the suite uses.
  private static let unsupported: Set<String> = [
    "Any", "Struct", "Value", "ListValue", "DoubleValue", "FloatValue", "Int64Value", "UInt64Value", "Int32Value",
    "UInt32Value", "BoolValue", "StringValue", "BytesValue",
  ]

  private mutating func message(_ name: String) throws(ContractError) -> Int {
    if let known = indexOfMessage[name] { return known }
    guard let declaration = declared[name] else { throw ContractError(description: "\(name) is not declared") }
    if name.hasPrefix("google.protobuf."), Self.unsupported.contains(String(name.dropFirst(16))) {
      throw ContractError(description: "\(name) has no JSON mapping here yet")
    }
    let index = tables.count
    indexOfMessage[name] = index
    tables.append(nil)
    let message = declaration.message
    guard message.field.count <= MessageTable.maxFields else {
      throw ContractError(description: "\(name) has more than \(MessageTable.maxFields) fields")
    }
    var fields: [FieldTable] = []
    for field in message.field { fields.append(try table(of: field, isProto3: declaration.isProto3)) }
    tables[index] = MessageTable(
      fullName: name, fields: fields, jsonNames: message.field.map { $0.jsonName ?? $0.name ?? "" },
      wellKnown: Self.wellKnown[name], isMapEntry: message.options?.mapEntry ?? false)
    return index
  }

  private static let wellKnown: [String: MessageTable.WellKnown] = [
    "google.protobuf.Timestamp": .timestamp, "google.protobuf.Duration": .duration,
    "google.protobuf.FieldMask": .fieldMask,
  ]

  private mutating func table(of field: FieldDescriptorProto, isProto3: Bool) throws(ContractError) -> FieldTable {
    let kind = try kind(of: field)
    let typeName = Self.bare(field.typeName)
    let isMap = field.label == .repeated && declared[typeName]?.message.options?.mapEntry == true
    let isPackable = kind.wireType != 2
    let shape: FieldTable.Shape =
      if isMap {
        .map
      } else if field.label == .repeated {
        .repeated(isPacked: isPackable && field.options?.packed ?? isProto3)
      } else {
        .singular
      }
    var isMessage = false
    if case .message = kind { isMessage = true }
    let number = UInt32(field.number ?? 0)
    var isPacked = false
    if case .repeated(true) = shape { isPacked = true }
    return FieldTable(
      name: field.name ?? "", jsonKey: Array("\"\(field.jsonName ?? field.name ?? "")\":".utf8), number: number,
      kind: kind, shape: shape,
      hasPresence: !isProto3 || isMessage || field.oneofIndex != nil,
      oneof: field.proto3Optional == true ? -1 : field.oneofIndex.map(Int.init) ?? -1,
      tag: Self.tag(number, isPacked ? 2 : kind.wireType))
  }

  private static func tag(_ number: UInt32, _ wireType: UInt8) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(UInt64(number) << 3 | UInt64(wireType))
    return bytes
  }

  private mutating func kind(of field: FieldDescriptorProto) throws(ContractError) -> FieldTable.Kind {
    switch field.type {
    case .double: .double
    case .float: .float
    case .int64: .int64
    case .uint64: .uint64
    case .int32: .int32
    case .fixed64: .fixed64
    case .fixed32: .fixed32
    case .bool: .bool
    case .string: .string
    case .bytes: .bytes
    case .uint32: .uint32
    case .sfixed32: .sfixed32
    case .sfixed64: .sfixed64
    case .sint32: .sint32
    case .sint64: .sint64
    case .message: .message(try message(Self.bare(field.typeName)))
    case .`enum`: .enumeration(try enumeration(Self.bare(field.typeName)))
    case .group, .unrecognized, nil:
      throw ContractError(description: "the field \(field.name ?? "") is of a type without a JSON mapping")
    }
  }

  private mutating func enumeration(_ name: String) throws(ContractError) -> Int {
    if let known = indexOfEnum[name] { return known }
    guard let declaration = declaredEnums[name] else { throw ContractError(description: "\(name) is not declared") }
    let values = declaration.value.map { (name: $0.name ?? "", number: $0.number ?? 0) }
    indexOfEnum[name] = enums.count
    enums.append(
      EnumTable(
        nameOfNumber: Dictionary(
          values.map { ($0.number, Array("\"\($0.name)\"".utf8)) }, uniquingKeysWith: { first, _ in first }),
        numberOfName: NameTable(values.map { ($0.name, $0.number) })))
    return enums.count - 1
  }

  /// Type names in descriptors begin with a dot.
  private static func bare(_ name: String?) -> String { String((name ?? "").drop { $0 == "." }) }

  private static func join(_ scope: String, _ name: String?) -> String {
    scope.isEmpty ? name ?? "" : "\(scope).\(name ?? "")"
  }
}
