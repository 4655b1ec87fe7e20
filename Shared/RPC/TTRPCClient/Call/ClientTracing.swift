import TTRPC
import Tracing

/// Adds the calls of one client to the trace that they belong to.
struct ClientTracing: Sendable {
  /// Records calls made outside a handler; with `nil` these belong to no trace.
  let tracer: (any Tracer)?
  let host: String
  let port: Int

  /// Makes a call in the trace of the handler that makes it; metadata that already name a trace stay unchanged.
  nonisolated(nonsending) func traced<Result>(
    _ method: MethodDescriptor, _ options: CallOptions,
    _ call: nonisolated(nonsending) (CallOptions) async throws -> Result
  ) async throws -> Result {
    let scope = TraceScope.current
    if scope == nil, tracer == nil { return try await call(options) }
    if options.metadata.has("traceparent") { return try await call(options) }
    var options = options
    if case .forwarded(let metadata)? = scope, let headers = TraceHeaders(metadata) {
      headers.add(to: &options.metadata)
      return try await call(options)
    }
    guard let (tracer, parent) = recording(in: scope) else { return try await call(options) }
    let span = CallSpan(client: tracer, method, to: host, port, below: parent, &options.metadata)
    do {
      let result = try await call(options)
      span.end(nil)
      return result
    } catch {
      span.end(throwing: error)
      throw error
    }
  }

  /// The tracer and the parent of a call's span; a handler may have spans of its own between its call's and this one.
  private func recording(in scope: TraceScope?) -> (any Tracer, InstrumentationContext)? {
    let current = InstrumentationContext.current
    if case .recorded(let tracer, let parent)? = scope { return (tracer, current ?? parent) }
    return tracer.map { ($0, current ?? .topLevel) }
  }
}
