/// The messages, enums and services that a server says it speaks, by full name.
public struct Schema: Sendable {
  /// Message types, nested ones and map entries too.
  public internal(set) var messages: [String: MessageType] = [:]
  /// Enum types, nested ones too.
  public internal(set) var enums: [String: EnumType] = [:]
  /// Services.
  public internal(set) var services: [String: ServiceType] = [:]

  /// A schema that knows nothing.
  public init() {}
}

/// A message type as its proto file declares it.
public struct MessageType: Sendable, Equatable {
  /// "tandem.identity.v1.Profile".
  public let fullName: String
  /// In the order of the file.
  public let fields: [Field]
  /// Whether the type is the entry of a map field, made by protoc.
  public let isMapEntry: Bool
  /// What the proto file says about it; empty when it says nothing.
  public let comment: String
  private let byNumber: [Int32: Int]
  private let byName: [String: Int]

  /// A type of those fields.
  public init(fullName: String, fields: [Field], isMapEntry: Bool = false, comment: String = "") {
    self.fullName = fullName
    self.fields = fields
    self.isMapEntry = isMapEntry
    self.comment = comment
    byNumber = Dictionary(fields.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
    byName = Dictionary(
      fields.enumerated().flatMap { [($1.jsonName, $0), ($1.name, $0)] }, uniquingKeysWith: { first, _ in first })
  }

  /// The field of that number.
  public func field(numbered number: Int32) -> Field? {
    byNumber[number].map { fields[$0] }
  }

  /// The field of that name, as JSON writes it or as the proto file does.
  public func field(named name: String) -> Field? {
    byName[name].map { fields[$0] }
  }
}

/// A field of a message type.
public struct Field: Sendable, Equatable {
  /// What one value of the field is.
  public enum Kind: Sendable, Equatable {
    case double, float, bool, string, bytes
    case int32, sint32, sfixed32, uint32, fixed32
    case int64, sint64, sfixed64, uint64, fixed64
    /// The enum's full name.
    case enumeration(String)
    /// The message's full name; for a map, that of its entry.
    case message(String)
    /// Of proto2 only; its contents are passed over.
    case group
  }

  /// How many values there may be, and whether none differs from the default.
  public enum Cardinality: Sendable, Equatable {
    /// None is the default value.
    case implicit
    /// None differs from the default value: `optional`, members of a oneof, messages.
    case explicit
    case repeated(packed: Bool)
  }

  /// As the proto file has it, `date_of_birth`.
  public let name: String
  /// As JSON has it, `dateOfBirth`.
  public let jsonName: String
  /// The number on the wire.
  public let number: Int32
  /// What one value is.
  public let kind: Kind
  /// How many values there may be.
  public let cardinality: Cardinality
  /// The oneof that it is a member of; not the one that protoc makes for `optional`.
  public let oneof: String?
  /// What the proto file says about it; empty when it says nothing.
  public let comment: String

  /// A field of those properties.
  public init(
    name: String, jsonName: String, number: Int32, kind: Kind, cardinality: Cardinality, oneof: String? = nil,
    comment: String = ""
  ) {
    self.name = name
    self.jsonName = jsonName
    self.number = number
    self.kind = kind
    self.cardinality = cardinality
    self.oneof = oneof
    self.comment = comment
  }
}

/// An enum as its proto file declares it.
public struct EnumType: Sendable, Equatable {
  /// A name with its number; several names may have one number.
  public struct Value: Sendable, Equatable {
    /// `GENDER_FEMALE`.
    public let name: String
    /// The number on the wire.
    public let number: Int32
    /// What the proto file says about it; empty when it says nothing.
    public let comment: String
  }

  /// "tandem.identity.v1.Gender".
  public let fullName: String
  /// In the order of the file.
  public let values: [Value]
  /// What the proto file says about it; empty when it says nothing.
  public let comment: String

  /// The first name of a number.
  public func name(of number: Int32) -> String? {
    values.first { $0.number == number }?.name
  }

  /// The number of a name.
  public func number(of name: String) -> Int32? {
    values.first { $0.name == name }?.number
  }
}

/// A service as its proto file declares it.
public struct ServiceType: Sendable, Equatable {
  /// "tandem.identity.v1.Accounts".
  public let fullName: String
  /// In the order of the file.
  public let methods: [MethodType]
  /// What the proto file says about it; empty when it says nothing.
  public let comment: String

  /// The method of that name.
  public func method(named name: String) -> MethodType? {
    methods.first { $0.name == name }
  }
}

/// A method as its proto file declares it.
public struct MethodType: Sendable, Equatable {
  /// `Register`.
  public let name: String
  /// The request message's full name.
  public let input: String
  /// The response message's full name.
  public let output: String
  /// Whether the client sends a stream.
  public let clientStreams: Bool
  /// Whether the server sends a stream.
  public let serverStreams: Bool
  /// `public`, `user` or `service`; `nil` when the file declares none.
  public let access: String?
  /// The names of those who may call a method for services, by the service that answers; by "" wherever it is answered.
  public let callers: [String: [String]]
  /// Bytes of the longest message that a client may send; `nil` where as many as a frame has may come.
  public let maxRequestBytes: Int?
  /// Whether the file calls it idempotent or free of side effects.
  public let isIdempotent: Bool
  /// What the proto file says about it; empty when it says nothing.
  public let comment: String
}
