public import ProtobufC
public import ProtobufDescriptor

/// The options of a method in the contract, as `tandem/rpc/v1/options.proto` declares them.
public struct MethodRules: Sendable, Equatable {
  /// Who may call a method.
  public enum Access: String, Sendable {
    /// Any client.
    case `public`
    /// A user with a valid access token.
    case user
    /// Another service of the suite, or a program that runs beside it, such as a gateway.
    case service
  }

  /// `nil` when the method does not declare it.
  public let access: Access?
  /// The services that may call a method for services, by the service that answers; the key "" is for any. In the order
  /// of the contract.
  public let callers: [String: [String]]
  /// Bytes of the longest message that a client may send; `nil` where only the frame limits it.
  public let maxRequestBytes: Int?

  /// The limit of a public method that declares none: any client may send it, and few public requests are longer than a
  /// form.
  public static let publicRequestBytes = 65_536

  /// Reads the options of a method of `service`.
  ///
  /// - Throws: when an option does not have the type of its declaration.
  public init(_ options: MethodOptions?, of service: String) throws(ProtobufError) {
    let fields = options?.unknownFields ?? []
    access = Self.access(fields.varint(Option.access))
    callers = try Self.callers(fields)
    let isPublic = access.map { $0 == .public } ?? service.hasPrefix(Self.published)
    maxRequestBytes =
      fields.varint(Option.maxRequestBytes).map { Int(clamping: $0) } ?? (isPublic ? Self.publicRequestBytes : nil)
  }

  /// The prefix of gRPC's own services: they declare no access, and are public.
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
