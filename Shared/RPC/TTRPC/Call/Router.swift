import Glibc
import ProtobufC

/// A service of the contract, with the handlers of its methods.
public protocol RPCService: Sendable {
  /// The full name of the service, `tandem.identity.v1.Accounts`.
  static var serviceName: String { get }
  /// The reasons with which its methods refuse, as the contract says it, by the methods' names. Beside them any method may refuse
  /// with those of `tandem.rpc.v1`.
  static var refusals: [String: Set<String>] { get }

  /// Adds every method of the service to `router`.
  func register(in router: inout Router)
}

extension RPCService {
  /// None of its own.
  public static var refusals: [String: Set<String>] { [:] }
}

/// Finds the handler for the service and method that a request names.
public struct Router: Sendable {
  private var methods: [UInt64: AnyMethod] = [:]
  private var overflow: [AnyMethod] = []

  public init() {}

  /// A router with every method of `services`.
  public init(_ services: [any RPCService]) {
    for service in services { service.register(in: &self) }
  }

  /// Serves `method` with `handler`, which runs on the event loop of the call's connection and must not block it.
  ///
  /// A thrown ``Status`` is sent as it is, a ``StatusConvertible`` as its status, any other error as an opaque
  /// INTERNAL.
  @inlinable
  public mutating func unary<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ method: MethodDescriptor, _ handler: @escaping @Sendable (Request, CallContext) async throws -> Response
  ) {
    let decoder = RequestDecoder<Request>()
    // Here, where the messages' types are known, the handler is specialized for them.
    add(
      AnyMethod(method) { call, payload, arena in
        var unknown: [UnknownEnumValue] = []
        guard let request: Request = AnyMethod.request(of: call, payload, arena, decoder, unknown: &unknown) else {
          return
        }
        guard unknown.isEmpty else {
          return RefusedWork(unknown) { call in _ = try await handler(request, call.context) }.start(for: call)
        }
        UnaryWork(handler: handler, request: request).start(for: call)
      })
  }

  /// Serves `method`, whose client sends one message, with a handler that sends any number of them.
  ///
  /// The stream ends with OK when the handler returns. Threads and errors as for ``unary(_:_:)``.
  public mutating func serverStreaming<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ method: MethodDescriptor,
    _ handler: @escaping @Sendable (Request, MessageWriter<Response>, CallContext) async throws -> Void
  ) {
    add(.serverStreaming(method, handler))
  }

  /// Serves `method`, whose client sends any number of messages, with a handler that returns one.
  ///
  /// Threads and errors as for ``unary(_:_:)``.
  public mutating func clientStreaming<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ method: MethodDescriptor,
    _ handler: @escaping @Sendable (MessageStream<Request>, CallContext) async throws -> Response
  ) {
    add(.clientStreaming(method, handler))
  }

  /// Serves `method`, in which both sides send any number of messages.
  ///
  /// The stream ends with OK when the handler returns. Threads and errors as for ``unary(_:_:)``.
  public mutating func bidirectional<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ method: MethodDescriptor,
    _ handler:
      @escaping @Sendable (MessageStream<Request>, MessageWriter<Response>, CallContext) async throws -> Void
  ) {
    add(.bidirectional(method, handler))
  }

  @usableFromInline
  mutating func add(_ method: AnyMethod) {
    let key = Self.key(Array(method.descriptor.service.utf8), Array(method.descriptor.name.utf8))
    if methods[key] == nil { methods[key] = method } else { overflow.append(method) }
  }

  /// The method with these names, UTF-8 as received.
  package func method(service: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer) -> AnyMethod? {
    if let method = methods[Self.key(service, name)], method.isNamed(service, name) { return method }
    return overflow.first { $0.isNamed(service, name) }
  }

  /// All methods, for the text of refusals and for reflection.
  public var descriptors: [MethodDescriptor] {
    (methods.values + overflow).map(\.descriptor).sorted { $0.fullName < $1.fullName }
  }

  /// FNV-1a over both names. A collision costs a comparison, never a wrong handler.
  private static func key(_ service: some Sequence<UInt8>, _ name: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in service { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash = (hash ^ 0x2F) &* 0x100_0000_01b3
    for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}

/// A method with its handler, with its message types erased.
@usableFromInline
package final class AnyMethod: Sendable {
  /// Decodes the request and starts the handler. On the call's event loop.
  @usableFromInline package typealias Begin = @Sendable (any ReceivedCall, UnsafeRawBufferPointer, Arena) -> Void

  package let descriptor: MethodDescriptor
  package let metrics: MethodMetrics
  /// The field of a stream's first message that may hold its access token; `nil` where the message has none.
  package let tokenField: UInt32?
  /// Whether the caller of the method is known as soon as a call begins.
  package let provesCaller: Bool
  /// Whether it is `grpc.health.v1.Health/Check`, which probes of the server's liveness call.
  package let checksHealth: Bool
  package let begin: Begin
  /// A number of its own, by which ``MethodNumbers`` knows it.
  package let number: Int
  private let service: [UInt8]
  private let name: [UInt8]

  @usableFromInline
  init(_ descriptor: MethodDescriptor, tokenField: UInt32? = nil, _ begin: @escaping Begin) {
    self.descriptor = descriptor
    self.tokenField = tokenField
    self.begin = begin
    provesCaller = descriptor.access != .public && tokenField == nil
    checksHealth = descriptor.fullName == "grpc.health.v1.Health/Check"
    metrics = MethodMetrics(descriptor)
    number = MethodNumbers.number(of: descriptor.fullName)
    service = Array(descriptor.service.utf8)
    name = Array(descriptor.name.utf8)
  }

  func isNamed(_ service: UnsafeRawBufferPointer, _ name: UnsafeRawBufferPointer) -> Bool {
    Self.areSame(service, self.service) && Self.areSame(name, self.name)
  }

  private static func areSame(_ a: UnsafeRawBufferPointer, _ b: [UInt8]) -> Bool {
    b.withUnsafeBytes { b in
      guard a.count == b.count, let start = a.baseAddress, let other = b.baseAddress else { return a.count == b.count }
      return memcmp(start, other, a.count) == 0
    }
  }
}

/// The work of a unary handler: one response to one request.
@usableFromInline
struct UnaryWork<Request: ProtobufMessage, Response: ProtobufMessage>: CallWork {
  @usableFromInline let handler: @Sendable (Request, CallContext) async throws -> Response
  @usableFromInline let request: Request

  @inlinable
  init(handler: @escaping @Sendable (Request, CallContext) async throws -> Response, request: Request) {
    self.handler = handler
    self.request = request
  }

  @inlinable
  nonisolated(nonsending) func run(_ call: any ReceivedCall) async throws {
    let response = try await handler(request, call.context)
    call.succeed { response.packed(in: $0) }
  }
}
