import AsyncSignal
import Metrics
import Synchronization

/// Ended spans that wait for the exporter: bounded, and adding never waits.
public final class SpanQueue: Sendable {
  private let capacity: Int
  private let batch: Int
  private let spans = Mutex<[FinishedSpan]>([])
  private let dropped = Counter(label: "trace_spans_dropped")
  /// Sent when a batch is full.
  let signal = AsyncSignal()

  /// - Parameters:
  ///   - capacity: spans that wait at most; further ones are dropped and counted in `trace_spans_dropped`.
  ///   - batch: spans that make a full batch.
  public init(capacity: Int = 8_192, batch: Int = 512) {
    self.capacity = capacity
    self.batch = batch
  }

  func offer(_ span: FinishedSpan) {
    let count = spans.withLock { spans -> Int? in
      guard spans.count < capacity else { return nil }
      spans.append(span)
      return spans.count
    }
    guard let count else { return dropped.increment() }
    if count == batch { signal.send() }
  }

  /// Takes the oldest spans, one batch at most.
  func take() -> [FinishedSpan] {
    spans.withLock { spans in
      defer { spans.removeFirst(min(batch, spans.count)) }
      return Array(spans.prefix(batch))
    }
  }

  func drop(_ count: Int) { dropped.increment(by: count) }
}

/// The metrics of spans.
public enum SpanMetrics {
  /// The description of each metric, by its label.
  public static let descriptions: [String: String] = [
    "trace_spans_exported": "Spans that a collector took.",
    "trace_spans_dropped": "Spans that were dropped: too many waited, or no collector took them.",
  ]
}
