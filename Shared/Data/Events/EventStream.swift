import AsyncSignal
import Postgres
import TTRPC
import TandemEvents
import Timestamps

/// One follower's stream at the producer.
struct EventStream: Sendable {
  let log: EventLog
  let wanted: WantedEvents
  let responses: MessageWriter<FollowResponse>
  private let window = FlowControlWindow()
  private let signal = AsyncSignal()

  /// Bytes of events after which a response is sent: well below the longest message, and a fraction of the window.
  private static let answerBytes = 512 << 10
  /// About what an event takes beside its payload.
  private static let eventBytes = 256

  init(log: EventLog, wanted: WantedEvents, responses: MessageWriter<FollowResponse>) {
    self.log = log
    self.wanted = wanted
    self.responses = responses
  }

  /// A task of a stream that runs beside the others.
  private enum Part {
    /// The stream ends with it.
    case essential
    /// The stream goes on without it.
    case auxiliary
  }

  /// Sends the events after `start` until the client has sent its last acknowledgement.
  func run(_ requests: MessageStream<FollowRequest>, from start: EventPosition) async throws {
    try await withThrowingTaskGroup(of: Part.self) { group in
      group.addTask {
        try await takeAcknowledgements(requests)
        return .essential
      }
      group.addTask {
        if wanted.consumer == nil { try await sendRecent(after: start) } else { try await send(after: start) }
        return .essential
      }
      group.addTask {
        for await _ in log.live.subscribe(to: log.channel) { signal.send() }
        return .auxiliary
      }
      group.addTask {
        try await lookSlowly()
        return .auxiliary
      }
      defer { group.cancelAll() }
      while case .auxiliary? = try await group.next() {}
    }
    try await note()
  }

  private func takeAcknowledgements(_ requests: MessageStream<FollowRequest>) async throws {
    for try await request in requests {
      guard case .acknowledgement(let acknowledgement)? = request.step else { throw Status.subscriptionRequired }
      try window.take(acknowledgement.position.map { EventPosition($0) })
      signal.send()
    }
  }

  /// Signals at intervals, whether or not anything happened, and stores what was acknowledged meanwhile.
  private func lookSlowly() async throws {
    var seen = ContinuousClock.now
    while true {
      // A signal can get lost with its connection; the next poll finds what it would have reported.
      try await Task.sleep(for: log.pace.slowLook)
      signal.send()
      try await note()
      if ContinuousClock.now - seen >= log.pace.rest {
        seen = .now
        try await see()
      }
    }
  }

  /// Stores that the consumer is connected, though it acknowledges nothing.
  private func see() async throws {
    guard let consumer = wanted.consumer else { return }
    if try await !log.database.write(SeeConsumer(consumer: consumer)).isEmpty { return }
    // An operator had it forgotten, and events that it needs may be removed: it has to come back with its position.
    throw Status.unavailable("The consumer was forgotten; follow again")
  }

  private func note() async throws {
    guard let consumer = wanted.consumer, let position = window.unnoted() else { return }
    try await log.database.write(NoteConsumer(consumer: consumer, position: position))
  }

  // MARK: In order

  /// Sends every event once, in order, as soon as no event can appear before it any more.
  private func send(after start: EventPosition) async throws {
    var position = start
    var wait = log.pace.shortestWait
    var rested: ContinuousClock.Instant?
    while true {
      try await waitForWindow()
      let page = try await read(after: position, includingUnsettled: false)
      // Events after the position were removed and can never be sent.
      guard page.removed <= position else { throw Status.eventsGone }
      let end = page.isFull ? page.last : .before(page.horizon)
      // A follower's position is that of an event, which a dump has if it has the follower's, or one that was stored
      // first.
      try await send(page.events, upTo: page.last)
      let isFurther = end > position
      position = max(position, end)
      if page.isFull { continue }
      let now = ContinuousClock.now
      // The first one tells the follower that the backlog is over.
      if rested.map({ isFurther && now - $0 >= log.pace.rest }) ?? true {
        try await log.database.write(NoteTold(position: position))
        try await sendAnswer([], upTo: position)
        rested = now
      }
      if page.othersWait {
        // A transaction that could still add an earlier event is open. Its rollback sends no signal, so it is polled:
        // soon at first, then less often.
        try await Task.sleep(for: wait)
        wait = min(wait * 2, log.pace.maxWait)
      } else {
        wait = log.pace.shortestWait
        try await waitForSignal()
      }
      if !page.events.isEmpty { wait = log.pace.shortestWait }
    }
  }

  // MARK: At once

  /// Sends every event at least once, as soon as it has committed: events above the horizon are read again until they
  /// are below it.
  private func sendRecent(after start: EventPosition) async throws {
    var settled = start
    var sent: Set<EventPosition> = []
    var isFirst = true
    while true {
      var position = settled
      var horizon: TransactionID?
      var page: Page
      repeat {
        page = try await read(after: position, includingUnsettled: true)
        horizon = horizon ?? page.horizon
        let news = page.events.filter { sent.insert($0.position).inserted }
        try await send(news, upTo: nil)
        position = max(position, page.last)
      } while page.isFull
      settled = max(settled, .before(horizon ?? .zero))
      sent = sent.filter { $0 > settled }
      if isFirst { try await sendAnswer([], upTo: nil) }
      isFirst = false
      try await waitForSignal()
    }
  }

  // MARK: Pages and responses

  /// Some events, and the state of the log.
  private struct Page {
    let events: [StoredEvent]
    /// The position up to which events were removed.
    let removed: EventPosition
    let horizon: TransactionID
    let othersWait: Bool
    let isFull: Bool

    /// The position of the last event.
    var last: EventPosition { events.last?.position ?? .beginning }
  }

  private func read(after position: EventPosition, includingUnsettled: Bool) async throws -> Page {
    let limit = log.pace.page
    let rows = try await log.database.rows(
      EventsAfter(position: position, topics: wanted.topics, includesUnsettled: includingUnsettled, limit: limit))
    let events = rows.compactMap(\.event)
    return Page(
      events: events, removed: rows.first?.removed ?? .beginning, horizon: rows.first?.horizon ?? .zero,
      othersWait: rows.first?.othersWait ?? false,
      isFull: events.count == limit)
  }

  /// Sends the events in responses that are not too long; the last of them carries `end`.
  private func send(_ events: [StoredEvent], upTo end: EventPosition?) async throws {
    var rest = events[...]
    while !rest.isEmpty {
      var bytes = 0
      let fitting = rest.prefix { event in
        defer { bytes += event.payload.count + Self.eventBytes }
        return bytes < Self.answerBytes
      }
      rest = rest[fitting.endIndex...]
      try await waitForWindow()
      let keepsPosition = wanted.consumer != nil
      try await sendAnswer(
        fitting.map(Event.init), upTo: keepsPosition ? (rest.isEmpty ? end : fitting.last?.position) : nil, bytes)
    }
  }

  private func sendAnswer(_ events: [Event], upTo position: EventPosition?, _ bytes: Int = 0) async throws {
    window.spend(bytes, on: position)
    try await responses.send(FollowResponse(events: events, position: position?.wire))
  }

  /// - Throws: when the task is cancelled.
  private func waitForSignal() async throws {
    guard await signal.wait() else { throw CancellationError() }
  }

  private func waitForWindow() async throws {
    while !window.isLeft { try await waitForSignal() }
  }
}

extension Event {
  init(_ stored: StoredEvent) {
    self.init(
      position: stored.position.wire, topic: stored.topic, key: stored.key, type: stored.type, payload: stored.payload,
      occurTime: stored.occurredAt.timestamp,
      traceParent: stored.traceParent ?? "")
  }
}
