import Tracing

/// Makes the calls of one client part of the trace that they belong to.
struct ClientTracing: Sendable {
  /// Records calls that no handler makes; `nil` leaves them out of every trace.
  let tracer: (any Tracer)?
  let host: String
  let port: Int

  /// Makes a call in the trace of the handler that makes it; metadata that name a trace already are left alone.
  func traced<Result>(
    _ method: MethodDescriptor, _ options: CallOptions, _ call: (CallOptions) async throws -> Result
  ) async throws -> Result {
    let scope = TraceScope.current
    if scope == nil, tracer == nil { return try await call(options) }
    if options.metadata["traceparent"] != nil { return try await call(options) }
    var options = options
    switch scope ?? tracer.map({ .recorded($0, .current ?? .topLevel) }) {
    case nil: return try await call(options)
    case .forwarded(let headers)?:
      headers.add(to: &options.metadata)
      return try await call(options)
    case .recorded(let tracer, let parent)?:
      // A handler may have spans of its own between its call's and this one.
      let parent = InstrumentationContext.current ?? parent
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
  }
}
