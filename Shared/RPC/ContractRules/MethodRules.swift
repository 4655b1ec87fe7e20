public import ProtobufC
public import ProtobufDescriptor

/// What the contract says about a method beside its messages: the options that `tandem/rpc/v1/options.proto` declares.
public struct MethodRules: Sendable, Equatable {
  /// Who may call a method.
  public enum Access: String, Sendable {
    /// Anyone.
    case `public`
    /// A user with a valid access token.
    case user
    /// Another service, or one of those beside the suite.
    case service
  }

  /// `nil` when none is declared.
  public let access: Access?
  /// The names of those who may call a method for services, by the service that answers; by "" wherever it is answered. In the order of the
  /// contract.
  public let callers: [String: [String]]
  /// Bytes of the longest message that a client may send; `nil` where as many as a frame has may come.
  public let maxRequestBytes: Int?

  /// What a public method takes unless it declares another limit: everybody may send it, and few have more to say than a form.
  public static let publicRequestBytes = 65_536

  /// Reads the options of a method of `service`.
  ///
  /// - Throws: when an option is not what its declaration says.
  public init(_ options: MethodOptions?, of service: String) throws(ProtobufError) {
    let fields = options?.unknownFields ?? []
    access = Self.access(fields.varint(Option.access))
    callers = try Self.callers(fields)
    let isPublic = access.map { $0 == .public } ?? service.hasPrefix(Self.published)
    maxRequestBytes =
      fields.varint(Option.maxRequestBytes).map { Int(clamping: $0) } ?? (isPublic ? Self.publicRequestBytes : nil)
  }

  /// What is published by gRPC declares nothing of this, and is as public as what says so.
  private static let published = "grpc."

  /// The numbers of the options.
  private enum Option {
    static let access: UInt32 = 50001
    static let callers: UInt32 = 50002
    static let callersAt: UInt32 = 50003
    static let maxRequestBytes: UInt32 = 50004
  }

  private static func access(_ number: UInt64?) -> Access? {
    switch number {
    case 1: .public
    case 2: .user
    case 3: .service
    default: nil
    }
  }

  private static func callers(_ fields: [UnknownField]) throws(ProtobufError) -> [String: [String]] {
    var callers: [String: [String]] = [:]
    for field in fields where [Option.callers, Option.callersAt].contains(field.number) {
      guard let content = field.content else { throw .malformed }
      if field.number == Option.callers {
        callers["", default: []].append(String(decoding: content, as: UTF8.self))
      } else {
        let (server, names) = try Array(content).withUnsafeBufferPointer { bytes throws(ProtobufError) in
          try callersAt(UnsafeRawBufferPointer(bytes))
        }
        callers[server, default: []] += names
      }
    }
    return callers
  }

  /// Reads `tandem.rpc.v1.CallersAt`.
  private static func callersAt(
    _ bytes: UnsafeRawBufferPointer
  ) throws(ProtobufError) -> (server: String, names: [String]) {
    var (fields, server, names) = (WireReader(bytes), "", [String]())
    while let field = try fields.next() {
      switch (field.number, field.content) {
      case (1, .delimited(let text)): server = String(decoding: text, as: UTF8.self)
      case (2, .delimited(let text)): names.append(String(decoding: text, as: UTF8.self))
      default: break
      }
    }
    guard !server.isEmpty else { throw .malformed }
    return (server, names)
  }
}
