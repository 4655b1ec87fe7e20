/// The messages, enums and services that a server reports by reflection, by full name.
public struct Schema: Sendable {
  /// Including nested ones and map entries.
  public internal(set) var messages: [String: MessageType] = [:]
  /// Including nested ones.
  public internal(set) var enums: [String: EnumType] = [:]
  public internal(set) var services: [String: ServiceType] = [:]

  public init() {}
}

/// A message type as its proto file declares it.
public struct MessageType: Sendable, Equatable {
  /// "tandem.identity.v1.Profile".
  public let fullName: String
  /// In the order of the file.
  public let fields: [Field]
  /// Whether it is the entry type of a map field, which protoc generates.
  public let isMapEntry: Bool
  /// The comment in the proto file; may be empty.
  public let comment: String
  private let byNumber: [Int32: Int]
  private let byName: [String: Int]

  public init(fullName: String, fields: [Field], isMapEntry: Bool = false, comment: String = "") {
    self.fullName = fullName
    self.fields = fields
    self.isMapEntry = isMapEntry
    self.comment = comment
    byNumber = Dictionary(fields.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
    byName = Dictionary(
      fields.enumerated().flatMap { [($1.jsonName, $0), ($1.name, $0)] }, uniquingKeysWith: { first, _ in first })
  }

  public func field(numbered number: Int32) -> Field? {
    byNumber[number].map { fields[$0] }
  }

  /// The field of that name, in JSON or proto spelling.
  public func field(named name: String) -> Field? {
    byName[name].map { fields[$0] }
  }
}

/// A field of a message type.
public struct Field: Sendable, Equatable {
  /// The type of a field's values.
  public enum Kind: Sendable, Equatable {
    case double, float, bool, string, bytes
    case int32, sint32, sfixed32, uint32, fixed32
    case int64, sint64, sfixed64, uint64, fixed64
    /// The enum's full name.
    case enumeration(String)
    /// The message's full name; for a map, that of its entry.
    case message(String)
    /// Only in proto2; its contents are skipped.
    case group
  }

  /// The number of values, and whether an unset field is distinct from one with the default value.
  public enum Cardinality: Sendable, Equatable {
    /// An unset field reads as the default value.
    case implicit
    /// An unset field is distinct from the default value: `optional`, members of a oneof, messages.
    case explicit
    case repeated(packed: Bool)
  }

  /// In proto spelling, `date_of_birth`.
  public let name: String
  /// In JSON spelling, `dateOfBirth`.
  public let jsonName: String
  public let number: Int32
  public let kind: Kind
  public let cardinality: Cardinality
  /// The oneof that it is a member of; not the synthetic one of an `optional` field.
  public let oneof: String?
  /// The comment in the proto file; may be empty.
  public let comment: String

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
    public let number: Int32
    /// The comment in the proto file; may be empty.
    public let comment: String
  }

  /// "tandem.identity.v1.Gender".
  public let fullName: String
  /// In the order of the file.
  public let values: [Value]
  /// The comment in the proto file; may be empty.
  public let comment: String

  /// The first name of a number.
  public func name(of number: Int32) -> String? {
    values.first { $0.number == number }?.name
  }

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
  /// The comment in the proto file; may be empty.
  public let comment: String

  public func method(named name: String) -> MethodType? {
    methods.first { $0.name == name }
  }
}

/// A method as its proto file declares it.
public struct MethodType: Sendable, Equatable {
  /// `Register`.
  public let name: String
  /// The full name of the request message.
  public let input: String
  /// The full name of the response message.
  public let output: String
  public let clientStreams: Bool
  public let serverStreams: Bool
  /// `public`, `user` or `service`; `nil` if the file declares none.
  public let access: String?
  /// The services that may call a method with access `service`, by the service that answers; under "" for all services.
  public let callers: [String: [String]]
  /// The most bytes of a client's message; `nil` for the limit of a frame.
  public let maxRequestBytes: Int?
  /// Whether the file declares it idempotent or free of side effects.
  public let isIdempotent: Bool
  /// The comment in the proto file; may be empty.
  public let comment: String
}
