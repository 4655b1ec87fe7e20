import GatewayHTTP
import GatewayProtocols
import HTTPTypes
import TTRPC
import Tracing

/// Begins the span of each request that calls a service, where the program has a collector for them.
public struct RequestSpans: Sendable {
  private let tracer: (any Tracer)?

  /// - Parameter tracer: `nil` where nothing is recorded: a client's trace goes on to the services as it came.
  public init(_ tracer: (any Tracer)?) { self.tracer = tracer }

  /// Whether calls that are made now are below a span of their request.
  package static var isRecording: Bool { TraceScope.current != nil }

  /// The span of a page.
  ///
  /// - Parameter name: the pattern of its path: neither tokens nor names of people belong into a trace.
  package func page(_ name: String, _ exchange: Exchange) -> RequestSpan? {
    let method = exchange.request.method.rawValue
    let span = begin("\(method) \(name)", below: [exchange.request.headerFields])
    span?.set("http.request.method", method)
    span?.set("http.route", name)
    return span
  }

  /// The span of a call.
  ///
  /// - Parameter metadata: the first message of a WebSocket, which counts more than its head.
  func call(
    _ method: MethodDescriptor, _ dialect: Dialect, _ exchange: Exchange, _ metadata: HTTPFields?
  ) -> RequestSpan? {
    let span = begin(method.fullName, below: [metadata, exchange.request.headerFields].compactMap(\.self))
    span?.set("rpc.system", dialect.name)
    span?.set("rpc.service", method.service)
    span?.set("rpc.method", method.name)
    return span
  }

  private func begin(_ name: String, below fields: [HTTPFields]) -> RequestSpan? {
    guard let tracer else { return nil }
    var parent = InstrumentationContext.topLevel
    if let fields = fields.first(where: { $0[.traceParent] != nil }) {
      tracer.extract(fields, into: &parent, using: FieldExtractor())
    }
    return RequestSpan(tracer, tracer.startSpan(name, context: parent, ofKind: .server))
  }
}

/// The span of one request: what it calls are spans below it.
package struct RequestSpan: Sendable {
  private let tracer: any Tracer
  private let span: any Span

  fileprivate init(_ tracer: any Tracer, _ span: any Span) { (self.tracer, self.span) = (tracer, span) }

  fileprivate func set(_ name: String, _ value: String) { span.attributes[name] = value }

  /// Does what the request asks for.
  package nonisolated(nonsending) func run(_ act: nonisolated(nonsending) () async -> Void) async {
    await TraceScope.$current.withValue(.recorded(tracer, span.context)) { await act() }
  }

  /// Ends the span of a page.
  package func end(_ status: Int?) {
    if let status {
      span.attributes["http.response.status_code"] = status
      if status >= 500 { fail("\(status)") }
    } else {
      fail("no answer")
    }
    span.end()
  }

  /// Ends the span of a call.
  func end(_ code: Code) {
    span.attributes["rpc.response.status_code"] = code.name
    // A mistake of the client's is no failure here.
    if code.httpStatus >= 500 { fail(code.name) }
    span.end()
  }

  private func fail(_ type: String) {
    span.attributes["error.type"] = type
    span.setStatus(SpanStatus(code: .error))
  }
}

/// Lets a tracer read the fields of a request.
private struct FieldExtractor: Extractor {
  func extract(key: String, from fields: HTTPFields) -> String? {
    guard let name = HTTPField.Name(key) else { return nil }
    // In several fields it is one list (RFC 9110, section 5.3); with two traceparents neither counts.
    let values = fields[values: name]
    return values.isEmpty ? nil : values.joined(separator: ",")
  }
}
