import AsyncSignal
import CNATS
import Postgres
import Synchronization

/// What the parts of a NATS bus share: the connection, while there is one, and the channels to subscribe to on it.
final class NATSLink: LiveCarrier {
  /// Channels to subscribe to, and to unsubscribe from.
  struct Change: Sendable {
    var listen: [String] = []
    var unlisten: [String] = []
  }

  private struct State {
    var connection: NATSConnection?
    var wanted: Set<String> = []
    /// Channels whose change was not sent to the server yet.
    var changed: Set<String> = []
    /// Whether the connection has no subscriptions yet.
    var isFresh = false
  }

  /// Channels that are subscribed to at a time.
  private static let channelsAtOnce = 500

  private let state = Mutex(State())
  /// Sent when there may be changes to send to the server.
  let wakes = AsyncSignal()

  func listen(to channel: String) {
    state.withLock {
      $0.wanted.insert(channel)
      $0.changed.insert(channel)
    }
    wakes.send()
  }

  func unlisten(to channel: String) {
    state.withLock {
      $0.wanted.remove(channel)
      $0.changed.insert(channel)
    }
    wakes.send()
  }

  /// Uses a new connection, on which every channel has yet to be subscribed to.
  func use(_ connection: NATSConnection) {
    state.withLock {
      $0.connection = connection
      $0.changed = $0.wanted
      $0.isFresh = true
    }
    wakes.send()
  }

  /// Drops the connection with this id, if it is the present one.
  func lose(_ id: UInt) {
    let lost = state.withLock { state -> NATSConnection? in
      guard state.connection?.id == id else { return nil }
      return state.connection.take()
    }
    if lost != nil { wakes.send() }
  }

  /// The next changes to send to the server; `nil` when it has all.
  ///
  /// - Throws: when the connection was lost.
  func nextChange() throws -> Change? {
    try state.withLock { state throws(NATSError) in
      guard state.connection != nil else { throw NATSError.away }
      guard !state.changed.isEmpty || state.isFresh else { return nil }
      state.isFresh = false
      var change = Change()
      for channel in state.changed.prefix(Self.channelsAtOnce) {
        state.changed.remove(channel)
        if state.wanted.contains(channel) { change.listen.append(channel) } else { change.unlisten.append(channel) }
      }
      return change
    }
  }

  func send(_ frames: [OutgoingFrame]) async throws {
    guard let connection = state.withLock({ $0.connection }) else { throw NATSError.away }
    try await BackgroundThread.run {
      for outgoing in frames {
        try connection.publish(outgoing.frame.bytes, to: NATSSubject.of(outgoing.channel))
      }
      try connection.flush()
    }
  }
}

extension NATSConnection {
  /// Returns when the server has applied `change`.
  func apply(_ change: NATSLink.Change) throws(NATSError) {
    for channel in change.unlisten { unsubscribe(from: NATSSubject.of(channel)) }
    for channel in change.listen { try subscribe(to: NATSSubject.of(channel)) }
    try flush()
  }
}

extension NATSError {
  static let away = NATSError(NATS_CONNECTION_CLOSED, "looking for a connection")
}

/// The name of a channel as a subject of NATS.
enum NATSSubject {
  private static let prefix = "tandem.live."
  private static let everybody = "tandem.everybody"

  static func of(_ channel: String) -> String {
    channel == LiveOutbox.everybody ? everybody : prefix + String(channel.map { $0 == "." ? "-" : $0 })
  }

  /// `nil` for a subject that is not a channel's.
  static func channel(of subject: String) -> String? {
    if subject == everybody { return LiveOutbox.everybody }
    guard subject.hasPrefix(prefix) else { return nil }
    return String(subject.dropFirst(prefix.count).map { $0 == "-" ? "." : $0 })
  }
}
