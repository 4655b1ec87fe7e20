import Tracing

/// The span of one call, on either side, with the attributes of OpenTelemetry's RPC conventions.
package final class CallSpan: Sendable {
  private let span: any Span
  private let tracer: any Tracer
  private let kind: SpanKind

  /// The span of a received call, a child of the caller's span where the metadata name one.
  package convenience init(server tracer: any Tracer, _ call: CallContext) {
    var parent = InstrumentationContext.topLevel
    tracer.extract(call.metadata, into: &parent, using: MetadataExtractor())
    self.init(tracer, call.method, below: parent, .server)
    guard span.isRecording else { return }
    let colon = call.peer.lastIndex(of: ":") ?? call.peer.endIndex
    span.attributes["network.peer.address"] = String(call.peer[..<colon])
    span.attributes["network.peer.port"] = Int(call.peer[colon...].dropFirst())
    if let service = call.peerService { span.attributes["service.peer.name"] = service }
  }

  /// The span of a call to be sent, whose metadata name it as the parent from now on.
  package convenience init(
    client tracer: any Tracer, _ method: MethodDescriptor, to host: String, _ port: Int,
    below parent: InstrumentationContext, _ metadata: inout Metadata
  ) {
    self.init(tracer, method, below: parent, .client)
    tracer.inject(span.context, into: &metadata, using: MetadataInjector())
    guard span.isRecording else { return }
    span.attributes["server.address"] = host
    span.attributes["server.port"] = port
  }

  private init(
    _ tracer: any Tracer, _ method: MethodDescriptor, below parent: InstrumentationContext, _ kind: SpanKind
  ) {
    span = tracer.startSpan(method.fullName, context: parent, ofKind: kind)
    self.tracer = tracer
    self.kind = kind
    guard span.isRecording else { return }
    span.attributes["rpc.system"] = "ttrpc"
    span.attributes["rpc.service"] = method.service
    span.attributes["rpc.method"] = method.name
  }

  /// The scope that calls and spans below this one continue.
  package var scope: TraceScope { .recorded(tracer, span.context) }

  /// The `traceparent` by which other processes refer to the span.
  package var traceparent: String? {
    var metadata = Metadata()
    tracer.inject(span.context, into: &metadata, using: MetadataInjector())
    return metadata["traceparent"]
  }

  /// Ends the span with the result of its call.
  package func end(_ failure: Status?) {
    if span.isRecording {
      let code = failure?.code ?? .ok
      span.attributes["rpc.response.status_code"] = code.name
      if let failure, kind == .client || code.isServersFault {
        span.attributes["error.type"] = code.name
        // The message is for the caller and may quote the request, so it is left out.
        span.setStatus(SpanStatus(code: .error, message: failure.errorInfo?.reason))
      }
    }
    span.end()
  }

  /// Ends the span of a call that threw.
  package func end(throwing error: any Error) {
    let isCancelled = error is CancellationError
    end((error as? Status) ?? Status(isCancelled ? .cancelled : .unknown, "\(type(of: error))"))
  }
}

extension Code {
  /// Whether a server's span counts as failed: an error of the caller is not a failure of the server.
  fileprivate var isServersFault: Bool {
    switch self {
    case .unknown, .deadlineExceeded, .unimplemented, .internal, .unavailable, .dataLoss: true
    default: false
    }
  }
}
