import ProtobufC

final class ServerStreamingMethod<Request: ProtobufMessage, Response: ProtobufMessage>: AnyMethod, @unchecked Sendable {
  // Unchecked: the superclass is not final. It holds constants alone, the handler being one.

  private let handler: @Sendable (Request, MessageWriter<Response>, CallContext) async throws -> Void
  private let hasLists = Request.hasLists

  init(
    _ descriptor: MethodDescriptor,
    _ handler: @escaping @Sendable (Request, MessageWriter<Response>, CallContext) async throws -> Void
  ) {
    self.handler = handler
    super.init(descriptor)
  }

  override func begin(_ call: ServerCall, _ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    guard let request: Request = call.read(payload, arena, hasLists: hasLists) else { return }
    let writer = MessageWriter<Response>(outlet: call, codec: .generated)
    call.run(
      StreamingWork { [handler] call in
        try await handler(request, writer, call.context)
        call.finish()
      })
  }
}

final class ClientStreamingMethod<Request: ProtobufMessage, Response: ProtobufMessage>: AnyMethod, @unchecked Sendable {
  // Unchecked: the superclass is not final. It holds constants alone, the handler being one.

  private let handler: @Sendable (MessageStream<Request>, CallContext) async throws -> Response

  init(
    _ descriptor: MethodDescriptor,
    _ handler: @escaping @Sendable (MessageStream<Request>, CallContext) async throws -> Response
  ) {
    self.handler = handler
    super.init(descriptor)
  }

  override func begin(_ call: ServerCall, _ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    guard let requests = call.receive(MessageCodec<Request>.generated, first: payload, arena) else { return }
    call.run(StreamingWork { [handler] call in call.succeed(try await handler(requests, call.context)) })
  }
}

final class BidirectionalMethod<Request: ProtobufMessage, Response: ProtobufMessage>: AnyMethod, @unchecked Sendable {
  // Unchecked: the superclass is not final. It holds constants alone, the handler being one.

  private let handler: @Sendable (MessageStream<Request>, MessageWriter<Response>, CallContext) async throws -> Void

  init(
    _ descriptor: MethodDescriptor,
    _ handler: @escaping @Sendable (MessageStream<Request>, MessageWriter<Response>, CallContext) async throws -> Void
  ) {
    self.handler = handler
    super.init(descriptor)
  }

  override func begin(_ call: ServerCall, _ payload: UnsafeRawBufferPointer, _ arena: Arena) {
    guard let requests = call.receive(MessageCodec<Request>.generated, first: payload, arena) else { return }
    let writer = MessageWriter<Response>(outlet: call, codec: .generated)
    call.run(
      StreamingWork { [handler] call in
        try await handler(requests, writer, call.context)
        call.finish()
      })
  }
}

/// What a streaming handler does, which begins once for many messages.
private struct StreamingWork: CallWork {
  let handle: @Sendable (ServerCall) async throws -> Void

  init(_ handle: @escaping @Sendable (ServerCall) async throws -> Void) { self.handle = handle }

  nonisolated(nonsending) func run(_ call: ServerCall) async throws { try await handle(call) }
}
