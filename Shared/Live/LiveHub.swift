import Synchronization

/// The subscribers of one process, by channel.
///
/// A channel is listened to from its first subscription to the end of its last.
final class LiveHub: Sendable {
  private struct Channel {
    var mailboxes: [UInt64: LiveMailbox] = [:]
    var arrivals = LiveArrivals()
    /// Whether nothing is missed just now.
    var isHeard = false
  }

  private struct State {
    var channels: [String: Channel] = [:]
    var lastID: UInt64 = 0
    /// Whether the bus is known to be away. Before the first connection nothing is known.
    var isAway = false
    var hasEnded = false
  }

  private let metrics: LiveMetrics
  private let limits: (messages: Int, bytes: Int)
  private let state = Mutex(State())
  private let listen: @Sendable (String) -> Void
  private let unlisten: @Sendable (String) -> Void

  /// - Parameters:
  ///   - listen: has a channel listened to, from some time on that ``listening(to:)`` tells. Called under a lock: returns at once.
  ///   - unlisten: the contrary.
  init(
    metrics: LiveMetrics,
    limits: (messages: Int, bytes: Int) = (LiveLimits.messagesPerSubscriber, LiveLimits.bytesPerSubscriber),
    listen: @escaping @Sendable (String) -> Void, unlisten: @escaping @Sendable (String) -> Void
  ) {
    self.metrics = metrics
    self.limits = limits
    self.listen = listen
    self.unlisten = unlisten
  }

  /// A subscription that begins with a gap: as soon as the channel is listened to, at once where that may take long.
  func subscribe(to channel: LiveChannel) -> LiveSubscription {
    let mailbox = LiveMailbox(messages: limits.messages, bytes: limits.bytes)
    let name = channel.name
    let id = state.withLock { state -> UInt64? in
      guard !state.hasEnded else { return nil }
      if state.channels.isEmpty { add(nil, to: LiveOutbox.everybody, &state) }
      state.lastID += 1
      add((state.lastID, mailbox), to: name, &state)
      if state.isAway || state.channels[name]?.isHeard == true { begin(mailbox) }
      return state.lastID
    }
    guard let id else {
      mailbox.putGap()
      mailbox.end()
      return LiveSubscription(mailbox) {}
    }
    metrics.subscriptions.increment()
    return LiveSubscription(mailbox) { [weak self] in self?.leave(name, id) }
  }

  private func add(_ subscriber: (id: UInt64, mailbox: LiveMailbox)?, to name: String, _ state: inout State) {
    if state.channels[name] == nil {
      state.channels[name] = Channel()
      listen(name)
    }
    if let subscriber { state.channels[name]?.mailboxes[subscriber.id] = subscriber.mailbox }
  }

  private func leave(_ name: String, _ id: UInt64) {
    let hasLeft = state.withLock { state in
      guard state.channels[name]?.mailboxes.removeValue(forKey: id) != nil else { return false }
      if state.channels[name]?.mailboxes.isEmpty == true {
        state.channels[name] = nil
        unlisten(name)
      }
      return true
    }
    if hasLeft { metrics.subscriptions.decrement() }
  }

  private func begin(_ mailbox: LiveMailbox) {
    mailbox.putGap()
    metrics.gaps.increment()
  }

  /// From now on nothing on `names` is missed; what came before may have been.
  func listening(to names: [String]) {
    let (wasAway, mailboxes) = state.withLock { state in
      let wasAway = state.isAway
      state.isAway = false
      for name in names { state.channels[name]?.isHeard = true }
      return (wasAway, names.flatMap { state.channels[$0].map { Array($0.mailboxes.values) } ?? [] })
    }
    if wasAway { metrics.reconnections.increment() }
    for mailbox in mailboxes { begin(mailbox) }
  }

  /// Nothing is heard any more. Those who wait for their beginning are not kept waiting.
  func lost() {
    let waiting = state.withLock { state in
      state.isAway = true
      for name in state.channels.keys { state.channels[name]?.isHeard = false }
      return state.channels.values.flatMap(\.mailboxes.values).filter { !$0.hasBegun }
    }
    for mailbox in waiting { begin(mailbox) }
  }

  /// Something may have been missed on `name`, or with `nil` on any channel.
  func missed(_ name: String? = nil) {
    let mailboxes = state.withLock { state in
      let channels = name.map { [state.channels[$0]].compactMap(\.self) } ?? Array(state.channels.values)
      return channels.flatMap(\.mailboxes.values)
    }
    for mailbox in mailboxes { begin(mailbox) }
  }

  /// Hands on what came in on `name`. From one thread at a time, so that it stays in order.
  func heard(_ frame: LiveFrame, on name: String) {
    let (outcome, mailboxes) = state.withLock { state -> (LiveArrivals.Outcome, [LiveMailbox]) in
      guard let outcome = state.channels[name]?.arrivals.take(frame) else { return (.nothing, []) }
      // A gap is on its way that stands for it: after an outage it comes first.
      guard state.channels[name]?.isHeard == true else { return (.nothing, []) }
      return (outcome, state.channels[name].map { Array($0.mailboxes.values) } ?? [])
    }
    switch outcome {
    case .nothing: return
    case .gap: missed(name == LiveOutbox.everybody ? nil : name)
    case .payload(let payload):
      for mailbox in mailboxes {
        guard case .overflowed(let count) = mailbox.put(payload) else { continue }
        metrics.dropped.increment(by: count)
        metrics.gaps.increment()
      }
    }
    metrics.received.increment()
  }

  /// Ends every subscription, and those that come.
  func end() {
    let mailboxes = state.withLock { state in
      state.hasEnded = true
      defer { state.channels = [:] }
      return state.channels.values.flatMap(\.mailboxes.values)
    }
    for mailbox in mailboxes { mailbox.end() }
    metrics.subscriptions.decrement(by: Double(mailboxes.count))
  }

  /// The channels that have subscribers, for tests.
  var channelNames: Set<String> {
    state.withLock { Set($0.channels.keys.filter { $0 != LiveOutbox.everybody }) }
  }
}
