import Environment
import Tracing

/// Records spans and adds those that are sampled to a queue, from which they are exported.
///
/// A child span is sampled if its parent is, here or in the calling process; a trace that begins here is sampled by
/// ratio.
public struct SpanRecorder: Tracer {
  private let queue: SpanQueue
  private let sampler: TraceSampler
  private let randomness: any Randomness

  /// - Parameter ratio: how many of the traces that begin here are recorded, 0 to 1.
  public init(_ queue: SpanQueue, ratio: Double, randomness: some Randomness = SystemRandomness()) {
    self.queue = queue
    self.randomness = randomness
    sampler = TraceSampler(ratio: ratio)
  }

  /// Starts a child of the span that `context` names.
  public func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> RecordedSpan {
    var context = context()
    let parent = context[TracePlaceKey.self]
    guard let place = place(below: parent) else { return RecordedSpan(operationName, context) }
    context[TracePlaceKey.self] = place
    guard place.trace.isSampled else { return RecordedSpan(operationName, context) }
    return RecordedSpan(
      operationName, context, place: place, parentID: parent?.trace.parentID, kind: kind,
      startedAt: instant().nanosecondsSinceEpoch, queue: queue)
  }

  /// The context of a new span; `nil` only if randomness returned zero, which is not a valid id.
  private func place(below parent: TracePlace?) -> TracePlace? {
    if let parent {
      // A span that is not recorded needs no id: its context is passed on unchanged.
      guard parent.trace.isSampled else { return parent }
      return parent.trace.child(randomness.uint64()).map { TracePlace(trace: $0, state: parent.state) }
    }
    let id = (high: randomness.uint64(), low: randomness.uint64())
    return TraceContext(traceID: id, parentID: randomness.uint64(), isSampled: sampler.includes(id.low))
      .map { TracePlace(trace: $0, state: nil) }
  }

  /// Reads W3C's `traceparent` and `tracestate`; malformed values are ignored.
  public func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {
    guard let text = extractor.extract(key: "traceparent", from: carrier), let trace = TraceContext(traceparent: text)
    else { return }
    let state = extractor.extract(key: "tracestate", from: carrier)
    context[TracePlaceKey.self] = TracePlace(
      trace: trace, state: state.flatMap { $0.utf8.count <= TracePlace.maxStateLength ? $0 : nil })
  }

  /// Writes W3C's `traceparent` and `tracestate`.
  public func inject<Carrier, Inject: Injector>(
    _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    guard let place = context[TracePlaceKey.self] else { return }
    injector.inject(place.trace.traceparent, forKey: "traceparent", into: &carrier)
    if let state = place.state { injector.inject(state, forKey: "tracestate", into: &carrier) }
  }

  /// Asks for ended spans to be exported soon.
  public func forceFlush() { queue.signal.send() }
}

/// A span's place in its trace: the trace with the span's own id as the parent of its children.
struct TracePlace: Sendable {
  /// Bytes; longer states need not be passed on (W3C Trace Context, section 3.3.1.5).
  static let maxStateLength = 512

  let trace: TraceContext
  /// Other systems' state, passed on unchanged.
  let state: String?
}

enum TracePlaceKey: InstrumentationContextKey {
  typealias Value = TracePlace
  static var nameOverride: String? { "w3c-trace" }
}

/// Decides by the trace's id alone, so that every process decides alike (OpenTelemetry's TraceIdRatioBased).
struct TraceSampler: Sendable {
  private let bound: UInt64

  init(ratio: Double) {
    bound = ratio >= 1 ? 1 << 63 : UInt64(max(0, ratio) * 0x1p63)
  }

  func includes(_ lowID: UInt64) -> Bool { lowID >> 1 < bound }
}
