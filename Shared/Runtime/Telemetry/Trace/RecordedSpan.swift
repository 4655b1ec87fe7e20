import Synchronization
import Tracing

/// One operation in a trace; records nothing when its trace is not sampled.
public final class RecordedSpan: Span {
  /// The context that names this span to its children.
  public let context: InstrumentationContext
  private let recording: Recording?

  /// The data of a sampled span beside its context.
  private struct Recording: Sendable {
    let place: TracePlace
    let parentID: UInt64?
    let kind: SpanKind
    let startedAt: UInt64
    let queue: SpanQueue
  }

  private struct State {
    var name: String
    var attributes: SpanAttributes = [:]
    var events: [SpanEvent] = []
    var links: [SpanLink] = []
    var status: SpanStatus?
    var hasEnded = false
  }

  private let state: Mutex<State>

  /// A span that records nothing.
  init(_ name: String, _ context: InstrumentationContext) {
    self.context = context
    recording = nil
    state = Mutex(State(name: name))
  }

  init(
    _ name: String, _ context: InstrumentationContext, place: TracePlace, parentID: UInt64?, kind: SpanKind,
    startedAt: UInt64, queue: SpanQueue
  ) {
    self.context = context
    recording = Recording(place: place, parentID: parentID, kind: kind, startedAt: startedAt, queue: queue)
    state = Mutex(State(name: name))
  }

  /// Whether further data would be recorded.
  public var isRecording: Bool { recording != nil && !state.withLock(\.hasEnded) }

  /// The name of the operation, which can be changed until the span has ended.
  public var operationName: String {
    get { state.withLock(\.name) }
    set { change { $0.name = newValue } }
  }

  public var attributes: SpanAttributes {
    get { state.withLock(\.attributes) }
    set { change { $0.attributes = newValue } }
  }

  /// Sets the status. OK is final.
  public func setStatus(_ status: SpanStatus) {
    change { if $0.status?.code != .ok { $0.status = status } }
  }

  /// Adds an event; at most 128 are kept.
  public func addEvent(_ event: SpanEvent) {
    change { if $0.events.count < 128 { $0.events.append(event) } }
  }

  /// Adds an error, by its type alone: its text may contain what must not be in a trace.
  public func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) {
    guard recording != nil else { return }
    var attributes = attributes
    attributes["exception.type"] = "\(type(of: error))"
    addEvent(SpanEvent(name: "exception", at: instant(), attributes: attributes))
  }

  /// Adds a link to a related span of another trace; at most 128 are kept.
  public func addLink(_ link: SpanLink) {
    change { if $0.links.count < 128 { $0.links.append(link) } }
  }

  /// Ends the span; later changes are ignored.
  public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    guard let recording else { return }
    let finished = state.withLock { state -> FinishedSpan? in
      guard !state.hasEnded else { return nil }
      state.hasEnded = true
      return FinishedSpan(
        place: recording.place, parentID: recording.parentID, name: state.name, kind: recording.kind,
        startedAt: recording.startedAt, endedAt: max(recording.startedAt, instant().nanosecondsSinceEpoch),
        attributes: state.attributes, events: state.events, links: state.links, status: state.status)
    }
    if let finished { recording.queue.offer(finished) }
  }

  private func change(_ change: (inout State) -> Void) {
    guard recording != nil else { return }
    state.withLock { if !$0.hasEnded { change(&$0) } }
  }
}

/// A span that is ready to be exported; times in nanoseconds since 1970.
struct FinishedSpan: Sendable {
  let place: TracePlace
  let parentID: UInt64?
  let name: String
  let kind: SpanKind
  let startedAt: UInt64
  let endedAt: UInt64
  let attributes: SpanAttributes
  let events: [SpanEvent]
  let links: [SpanLink]
  let status: SpanStatus?
}
