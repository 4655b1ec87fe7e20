import ProtobufC

extension AnyMethod {
  static func serverStreaming<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ descriptor: MethodDescriptor,
    _ handler: @escaping @Sendable (Request, MessageWriter<Response>, CallContext) async throws -> Void
  ) -> AnyMethod {
    let decoder = RequestDecoder<Request>()
    return AnyMethod(descriptor, tokenField: Request.tokenField) { call, payload, arena in
      var unknown: [UnknownEnumValue] = []
      guard let request: Request = Self.request(of: call, payload, arena, decoder, unknown: &unknown) else { return }
      let writer = MessageWriter<Response>(outlet: call.outlet, codec: .generated)
      guard unknown.isEmpty else {
        return RefusedWork(unknown) { call in try await handler(request, writer, call.context) }.start(for: call)
      }
      StreamingWork { call in
        try await handler(request, writer, call.context)
        call.finish()
      }.start(for: call)
    }
  }

  static func clientStreaming<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ descriptor: MethodDescriptor,
    _ handler: @escaping @Sendable (MessageStream<Request>, CallContext) async throws -> Response
  ) -> AnyMethod {
    let decoder = RequestDecoder<Request>()
    return AnyMethod(descriptor, tokenField: Request.tokenField) { call, payload, arena in
      guard let requests: MessageStream<Request> = Self.requests(of: call, first: payload, arena, decoder) else {
        return
      }
      StreamingWork { call in
        let response = try await handler(requests, call.context)
        call.succeed { response.packed(in: $0) }
      }.start(for: call)
    }
  }

  static func bidirectional<Request: ProtobufMessage, Response: ProtobufMessage>(
    _ descriptor: MethodDescriptor,
    _ handler:
      @escaping @Sendable (MessageStream<Request>, MessageWriter<Response>, CallContext) async throws -> Void
  ) -> AnyMethod {
    let decoder = RequestDecoder<Request>()
    return AnyMethod(descriptor, tokenField: Request.tokenField) { call, payload, arena in
      guard let requests: MessageStream<Request> = Self.requests(of: call, first: payload, arena, decoder) else {
        return
      }
      let writer = MessageWriter<Response>(outlet: call.outlet, codec: .generated)
      StreamingWork { call in
        try await handler(requests, writer, call.context)
        call.finish()
      }.start(for: call)
    }
  }
}

extension ProtobufMessage {
  /// The field of a stream's first message that may hold its access token.
  fileprivate static var tokenField: UInt32? { number(ofText: "access_token") }
}

/// The work of a streaming handler, which is started once for many messages.
private struct StreamingWork: CallWork {
  let handle: @Sendable (any ReceivedCall) async throws -> Void

  init(_ handle: @escaping @Sendable (any ReceivedCall) async throws -> Void) { self.handle = handle }

  nonisolated(nonsending) func run(_ call: any ReceivedCall) async throws { try await handle(call) }
}
