import Tracing

/// How the calls that a handler makes continue the trace of its own call.
///
/// One reference: every call has room for a scope, few have one.
@usableFromInline
package enum TraceScope: Sendable {
  /// This process records nothing: the trace is forwarded as received.
  ///
  /// Metadata with a `traceparent`, which is validated only when there is a call to forward it with.
  case forwarded(Metadata)
  /// Calls become spans below the handler's.
  indirect case recorded(any Tracer, InstrumentationContext)

  /// The scope of the running handler; `nil` outside of handlers and in calls that belong to no trace.
  @TaskLocal package static var current: TraceScope?

  /// Runs the handler in this scope.
  @usableFromInline
  package nonisolated(nonsending) func run(_ handler: nonisolated(nonsending) () async throws -> Void) async throws {
    switch self {
    case .forwarded: try await Self.$current.withValue(self, operation: handler)
    case .recorded(_, let context):
      try await InstrumentationContext.$current.withValue(context) {
        try await Self.$current.withValue(self, operation: handler)
      }
    }
  }
}

/// The trace of the running handler, for messages that are not sent by a call.
public enum CurrentTrace {
  /// As W3C's `traceparent`; `nil` outside of handlers and in calls that belong to no trace.
  public static var traceparent: String? {
    switch TraceScope.current {
    case .forwarded(let metadata): return TraceHeaders(metadata)?.traceparent
    case .recorded(let tracer, let context):
      var metadata = Metadata()
      tracer.inject(context, into: &metadata, using: MetadataInjector())
      return metadata["traceparent"]
    case nil: return nil
    }
  }
}
