import ProtobufC

extension AnyMethod {
  static func serverStreaming<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ descriptor: MethodDescriptor,
    _ handler: @escaping @Sendable (Request, MessageWriter<Response>, CallContext) async throws -> Void
  ) -> AnyMethod {
    let hasLists = Request.hasLists
    return AnyMethod(descriptor, tokenField: Request.tokenField) { call, payload, arena in
      guard let request: Request = call.read(payload, arena, hasLists: hasLists) else { return }
      let writer = MessageWriter<Response>(outlet: call, codec: .generated)
      call.run(
        StreamingWork { call in
          try await handler(request, writer, call.context)
          call.finish()
        })
    }
  }

  static func clientStreaming<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ descriptor: MethodDescriptor,
    _ handler: @escaping @Sendable (MessageStream<Request>, CallContext) async throws -> Response
  ) -> AnyMethod {
    AnyMethod(descriptor, tokenField: Request.tokenField) { call, payload, arena in
      guard let requests = call.receive(MessageCodec<Request>.generated, first: payload, arena) else { return }
      call.run(StreamingWork { call in call.succeed(try await handler(requests, call.context)) })
    }
  }

  static func bidirectional<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ descriptor: MethodDescriptor,
    _ handler:
      @escaping @Sendable (MessageStream<Request>, MessageWriter<Response>, CallContext) async throws -> Void
  ) -> AnyMethod {
    AnyMethod(descriptor, tokenField: Request.tokenField) { call, payload, arena in
      guard let requests = call.receive(MessageCodec<Request>.generated, first: payload, arena) else { return }
      let writer = MessageWriter<Response>(outlet: call, codec: .generated)
      call.run(
        StreamingWork { call in
          try await handler(requests, writer, call.context)
          call.finish()
        })
    }
  }
}

/// The work of a streaming handler, which is started once for many messages.
private struct StreamingWork: CallWork {
  let handle: @Sendable (ServerCall) async throws -> Void

  init(_ handle: @escaping @Sendable (ServerCall) async throws -> Void) { self.handle = handle }

  nonisolated(nonsending) func run(_ call: ServerCall) async throws { try await handle(call) }
}
