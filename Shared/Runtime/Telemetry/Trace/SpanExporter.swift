import Logging
import Metrics
import NIOCore
import ServiceLifecycle
import Tracing

/// Sends ended spans to a collector by OTLP over HTTP, in batches, while the service runs and once more when it stops:
/// for a short time only, because a supervisor waits for a service that stops.
public struct SpanExporter: Service {
  /// The collector, and what is sent with the spans.
  public struct Destination: Sendable {
    public var address: CollectorAddress
    /// Headers of each request.
    public var headers: [(String, String)]
    /// Attributes of the source of the spans, e.g. `service.name`.
    public var resource: [(String, String)]

    public init(address: CollectorAddress, headers: [(String, String)] = [], resource: [(String, String)]) {
      (self.address, self.headers, self.resource) = (address, headers, resource)
    }
  }

  /// The longest that an ended span waits to be sent with others.
  static let interval = TimeAmount.seconds(1)
  /// How often a batch is sent to a collector that cannot take it now.
  static let attempts = 4
  /// The longest wait that a collector may ask for.
  private static let maxWait = Duration.seconds(30)
  /// For connecting to a collector, and again for its response.
  public static let defaultTimeout = TimeAmount.seconds(10)
  /// How long spans may be sent once the service stops, with the request that is running then: a working collector
  /// takes them in a fraction of that, and a failing one must not use up the time that an orchestrator gives a process
  /// to end.
  public static let defaultFlushTime = Duration.seconds(1)

  private let queue: SpanQueue
  private let request: CollectorRequest
  private let encoding: ExportRequest
  private let group: any EventLoopGroup
  private let logger: Logger
  private let exported = Counter(label: "trace_spans_exported")
  private let flushTime: Duration

  /// - Parameters:
  ///   - group: the event loops of the connections.
  ///   - timeout: for connecting to the collector, and again for its response.
  ///   - flushTime: how long spans may be sent once the service stops; the rest is dropped.
  /// - Throws: when the system's authorities, which an `https` collector needs, cannot be read.
  public init(
    _ queue: SpanQueue, to destination: Destination, group: any EventLoopGroup, timeout: TimeAmount = defaultTimeout,
    flushTime: Duration = defaultFlushTime, logger: Logger
  ) throws {
    self.queue = queue
    self.flushTime = flushTime
    self.group = group
    self.logger = logger
    request = try CollectorRequest(
      address: destination.address, headers: destination.headers, group: group, timeout: timeout)
    encoding = ExportRequest(resource: destination.resource)
  }

  /// Exports until the service stops, and then for the flush time at most.
  public func run() async throws {
    let clock = group.next().scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) { _ in
      queue.signal.send()
    }
    defer { clock.cancel() }
    await withTaskGroup(of: Void.self) { tasks in
      tasks.addTask { await export() }
      tasks.addTask { await waitForFlushTime() }
      // Either everything was sent, or the time for it is over.
      await tasks.next()
      tasks.cancelAll()
    }
    dropRest()
  }

  private func export() async {
    await withGracefulShutdownHandler {
      var wasFailing = false
      for await _ in queue.signal { wasFailing = await exportAll(.several, wasFailing) }
      _ = await exportAll(.once, wasFailing)
    } onGracefulShutdown: {
      queue.signal.finish()
    }
  }

  private func waitForFlushTime() async {
    do {
      try await gracefulShutdown()
      // The time limit of the last spans; cancelled when they were sent.
      try await Task.sleep(for: flushTime)
    } catch {
      // Cancelled, because everything was sent.
    }
  }

  private func dropRest() {
    while case let rest = queue.take(), !rest.isEmpty { queue.drop(rest.count) }
  }

  /// How often a batch is tried.
  private enum RetryPolicy {
    /// It is retried after a pause.
    case several
    /// The process ends, so it is sent once.
    case once
  }

  /// Sends all waiting spans; returns whether the collector fails, which is logged once.
  private func exportAll(_ retries: RetryPolicy, _ wasFailing: Bool) async -> Bool {
    var wasFailing = wasFailing
    while true {
      let spans = queue.take()
      guard !spans.isEmpty else { return wasFailing }
      let complaint = await export(spans, retries)
      if let complaint {
        queue.drop(spans.count)
        if !wasFailing {
          logger.warning("spans not exported", metadata: ["to": "\(request.address)", "cause": "\(complaint)"])
        }
      } else {
        exported.increment(by: spans.count)
        if wasFailing { logger.notice("spans exported again", metadata: ["to": "\(request.address)"]) }
      }
      wasFailing = complaint != nil
      if wasFailing, retries == .once { return true }
    }
  }

  /// - Returns: why the collector did not take them; `nil` when it did.
  private func export(_ spans: [FinishedSpan], _ retries: RetryPolicy) async -> String? {
    let body = encoding.bytes(spans)
    var wait = Duration.milliseconds(250)
    var complaint = ""
    for attempt in 1...(retries == .once ? 1 : Self.attempts) {
      do {
        let answer = try await request.post(body)
        if answer.isSuccess { return nil }
        complaint = "status \(answer.status)"
        guard answer.isRetryable else { return complaint }
        wait = min(answer.retryAfter ?? wait, Self.maxWait)
      } catch {
        complaint = "\(error)"
      }
      guard attempt < Self.attempts, retries == .several, await pause(wait) else { return complaint }
      wait = wait * 2
    }
    return complaint
  }

  /// Waits; returns whether to go on.
  private func pause(_ duration: Duration) async -> Bool {
    do {
      // The back-off after a failed attempt, or the wait that the collector asked for; cut short when the service
      // stops.
      try await cancelWhenGracefulShutdown { try await Task.sleep(for: duration) }
      return true
    } catch {
      return false
    }
  }
}
