import Synchronization

/// The subscribers of one process, by channel.
///
/// A channel is listened to from its first subscription to the end of its last.
final class LiveHub: Sendable {
  private struct Channel {
    var mailboxes: [UInt64: LiveMailbox] = [:]
    var arrivals = LiveArrivals()
    /// Whether the channel is being listened to, so that nothing is missed.
    var isHeard = false
  }

  private struct State {
    var channels: [String: Channel] = [:]
    var lastID: UInt64 = 0
    /// Changes that the bus has not been given yet, in this order.
    var changes: [Change] = []
    /// Whether a caller is passing changes to the bus; it also passes those that are added meanwhile.
    var isTelling = false
    /// Whether the bus is known to be unavailable. Before the first connection this is not known.
    var isAway = false
    var hasEnded = false
  }

  private enum Change {
    case listen(String)
    case unlisten(String)
  }

  private let metrics: LiveMetrics
  private let limits: (messages: Int, bytes: Int)
  private let state = Mutex(State())
  private let listen: @Sendable (String) -> Void
  private let unlisten: @Sendable (String) -> Void

  /// - Parameters:
  ///   - listen: begins to listen to a channel, which ``listening(to:)`` confirms later. Returns at once.
  ///   - unlisten: ends listening to a channel. Both are called by one caller at a time, in the order of the changes.
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

  /// A subscription that begins with a gap: as soon as the channel is listened to, or at once where that may take long.
  func subscribe(to channel: LiveChannel) -> LiveSubscription {
    let mailbox = LiveMailbox(messages: limits.messages, bytes: limits.bytes)
    let name = channel.name
    let joined = state.withLock { state -> (id: UInt64, begins: Bool)? in
      guard !state.hasEnded else { return nil }
      if state.channels.isEmpty { add(nil, to: LiveOutbox.everybody, &state) }
      state.lastID += 1
      add((state.lastID, mailbox), to: name, &state)
      return (state.lastID, state.isAway || state.channels[name]?.isHeard == true)
    }
    guard let (id, begins) = joined else {
      mailbox.putGap()
      mailbox.end()
      return LiveSubscription(mailbox) {}
    }
    // A payload that arrives between joining and this is early: the gap stands for it.
    if begins { begin(mailbox) }
    tellBus()
    metrics.subscriptions.increment()
    return LiveSubscription(mailbox) { [weak self] in self?.leave(name, id) }
  }

  private func add(_ subscriber: (id: UInt64, mailbox: LiveMailbox)?, to name: String, _ state: inout State) {
    if state.channels[name] == nil {
      state.channels[name] = Channel()
      state.changes.append(.listen(name))
    }
    if let subscriber { state.channels[name]?.mailboxes[subscriber.id] = subscriber.mailbox }
  }

  private func leave(_ name: String, _ id: UInt64) {
    let hasLeft = state.withLock { state in
      guard state.channels[name]?.mailboxes.removeValue(forKey: id) != nil else { return false }
      if state.channels[name]?.mailboxes.isEmpty == true {
        state.channels[name] = nil
        state.changes.append(.unlisten(name))
      }
      return true
    }
    guard hasLeft else { return }
    metrics.subscriptions.decrement()
    tellBus()
  }

  /// Passes the changes to the bus, outside the lock, because its carriers wake tasks.
  private func tellBus() {
    while let changes = takeChanges() {
      for change in changes {
        switch change {
        case .listen(let name): listen(name)
        case .unlisten(let name): unlisten(name)
        }
      }
      state.withLock { $0.isTelling = false }
    }
  }

  /// The changes that this caller has to pass on; `nil` when there are none, or another caller passes them.
  private func takeChanges() -> [Change]? {
    state.withLock { state in
      guard !state.isTelling, !state.changes.isEmpty else { return nil }
      state.isTelling = true
      defer { state.changes = [] }
      return state.changes
    }
  }

  private func begin(_ mailbox: LiveMailbox) {
    mailbox.putGap()
    metrics.gaps.increment()
  }

  /// Called when nothing on `names` is missed from now on; earlier messages may have been.
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

  /// Called when the connection is lost. Subscriptions that have not begun begin with their gap now.
  func lost() {
    let waiting = state.withLock { state in
      state.isAway = true
      for name in state.channels.keys { state.channels[name]?.isHeard = false }
      return state.channels.values.flatMap(\.mailboxes.values).filter { !$0.hasBegun }
    }
    for mailbox in waiting { begin(mailbox) }
  }

  /// Called when messages may have been missed on `name`, or with `nil` on any channel.
  func missed(_ name: String? = nil) {
    let mailboxes = state.withLock { state in
      let channels = name.map { [state.channels[$0]].compactMap(\.self) } ?? Array(state.channels.values)
      return channels.flatMap(\.mailboxes.values)
    }
    for mailbox in mailboxes { begin(mailbox) }
  }

  /// Delivers a frame received on `name`. Called from one thread at a time, so that the order is kept.
  func heard(_ frame: LiveFrame, on name: String) {
    let (outcome, mailboxes) = state.withLock { state -> (LiveArrivals.Outcome, [LiveMailbox]) in
      guard let outcome = state.channels[name]?.arrivals.take(frame) else { return (.nothing, []) }
      // A gap that stands for it will follow: after an outage the gap comes first.
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

  /// Ends every subscription, also later ones.
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
