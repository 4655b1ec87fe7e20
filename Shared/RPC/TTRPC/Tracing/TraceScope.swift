import Tracing

/// How calls that a handler makes continue the trace of its own call.
///
/// One reference where there is one: every call has room for it, few have it.
@usableFromInline
enum TraceScope: Sendable {
  /// This process records nothing: the trace is passed on as it came.
  ///
  /// Metadata that have a `traceparent`; whether it is a usable one is looked at when there is a call to pass it on with.
  case forwarded(Metadata)
  /// Calls become spans below the handler's.
  indirect case recorded(any Tracer, InstrumentationContext)

  /// The scope of the running handler; `nil` outside of handlers and in calls that belong to no trace.
  @TaskLocal static var current: TraceScope?

  /// Runs the handler in this scope.
  @usableFromInline
  nonisolated(nonsending) func run(_ handler: nonisolated(nonsending) () async throws -> Void) async throws {
    switch self {
    case .forwarded: try await Self.$current.withValue(self, operation: handler)
    case .recorded(_, let context):
      try await InstrumentationContext.$current.withValue(context) {
        try await Self.$current.withValue(self, operation: handler)
      }
    }
  }
}

/// The trace of the running handler, for messages that do not leave by a call.
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
