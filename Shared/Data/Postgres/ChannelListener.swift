import Backoff
import CLibPQ
import Glibc
import Logging
import LoopExecutor
import NIOCore

/// Receives the notifications of a ``ChannelListener``, on its event loop.
package protocol ChannelObserver: AnyObject, Sendable {
  /// Called when no notification on `channels` is missed from now on; earlier ones may have been. Called again after
  /// each reconnection.
  func listening(to channels: [String])
  /// Called when `payload` was notified on `channel`.
  func heard(_ payload: [UInt8], on channel: String)
  /// Called when the connection is lost: no notification arrives until ``listening(to:)`` is called again.
  func lost()
}

/// Listens to channels of a database (`LISTEN`), on one connection that reconnects by itself.
///
/// It connects when a first channel is listened to, and stays connected. After a reconnection it listens to all
/// channels again.
///
/// `@unchecked Sendable`: everything mutable is touched on the executor's loop only. `listen`, `unlisten`, `close` and
/// the end of an attempt to connect go there by `execute`, `ready` is called there by the socket poller, and the
/// private methods are called by these. The others are constants.
package final class ChannelListener: SocketPollerTarget, @unchecked Sendable {
  private enum Link {
    /// Becomes down when the first channel is added.
    case idle
    /// Becomes up, or waits and tries again.
    case down
    case up(ListeningConnection)
    case closed
  }

  /// Channels that one query listens to: the server answers it quickly, and notifications wait for the answer.
  private static let channelsPerQuery = 500

  private let executor: LoopExecutor
  private let connector: Connector
  private let logger: Logger
  private let observer: any ChannelObserver
  private var link = Link.idle
  private var backoff = Backoff.reconnecting
  private var isAway = false
  private var wanted: Set<String> = []
  /// The channels that the server listens to for this connection.
  private var listened: Set<String> = []
  /// The channels whose change was not sent to the server yet, in no order.
  private var changed: Set<String> = []
  /// The channels of the query that is running; `nil` when there is none.
  private var asked: [String]?
  /// Looks at the present connection since it was last heard of.
  private var looks = 0
  private var isWatched = false

  /// The time between two looks whether the server answers: one that hangs, or whose machine is gone, sends nothing,
  /// just as one without news.
  private let lookInterval: TimeAmount
  /// Looks without an answer after which a connection is given up.
  private static let maxLooks = 3

  /// Describes a listener without connecting. It holds `observer`.
  ///
  /// - Throws: ``PostgresError`` of kind `parameter` when the URL cannot be read.
  package init(
    _ configuration: DatabaseConfiguration, on executor: LoopExecutor, logger: Logger, observer: any ChannelObserver,
    looksEvery interval: Duration = .seconds(5)
  ) throws(PostgresError) {
    connector = try configuration.connector(readOnly: false)
    lookInterval = TimeAmount(interval)
    self.executor = executor
    self.logger = logger
    self.observer = observer
  }

  /// Listens to `channel`. From any thread; calls from one thread apply in their order.
  package func listen(to channel: String) {
    executor.loop.execute {
      self.wanted.insert(channel)
      self.changed.insert(channel)
      if case .idle = self.link { self.connect() }
      self.ask()
    }
  }

  /// Stops listening to `channel`.
  package func unlisten(to channel: String) {
    executor.loop.execute {
      self.wanted.remove(channel)
      self.changed.insert(channel)
      self.ask()
    }
  }

  /// Closes the connection for good; the observer is not called any more.
  package func close() {
    executor.loop.execute {
      if case .up(let connection) = self.link { connection.close() }
      self.link = .closed
    }
  }

  private func connect() {
    link = .down
    connector.connectListening { outcome in
      self.executor.loop.execute { self.connected(outcome) }
    }
  }

  private func connected(_ outcome: Result<NewConnection, PostgresError>) {
    switch (outcome, link) {
    case (.success(let new), .down):
      let connection = ListeningConnection(new, for: self, on: executor)
      link = .up(connection)
      listened = []
      asked = nil
      changed = wanted
      looks = 0
      ask()
      watch()
      // Even without a query the end of the connection has to be noticed.
      if asked == nil {
        isHeard()
        flush(connection)
      }
    case (.success(let new), _): PQfinish(new.raw)
    case (.failure(let error), .down): away("\(error)")
    case (.failure, _): break
    }
  }

  /// The server has done as it was asked. A standby takes the connection and refuses to listen, again and again, so the
  /// connection alone is no success.
  private func isHeard() {
    backoff.reset()
    if isAway { logger.info("live messages are heard again") }
    isAway = false
  }

  /// Asks the server for nothing now and then, and gives the connection up when it does not answer.
  private func watch() {
    guard !isWatched else { return }
    isWatched = true
    executor.loop.scheduleTask(in: lookInterval) {
      self.isWatched = false
      guard case .up(let connection) = self.link else { return }
      self.looks += 1
      if self.looks > Self.maxLooks { return self.lost("the server does not answer") }
      if self.asked == nil {
        self.asked = []
        guard connection.send("") else { return self.lost(connection.failureMessage) }
        self.flush(connection)
      }
      if case .up = self.link { self.watch() }
    }
  }

  /// Sends the changes to the server, unless a query is running.
  private func ask() {
    guard case .up(let connection) = link, asked == nil else { return }
    // A channel that was added and removed again meanwhile needs no query.
    while !changed.isEmpty {
      let (commands, channels) = nextQuestion()
      if commands.isEmpty { continue }
      asked = channels
      guard connection.send(commands.joined(separator: ";")) else { return lost(connection.failureMessage) }
      return flush(connection)
    }
  }

  /// Commands for some of the changed channels, and those of them that will be listened to.
  private func nextQuestion() -> (commands: [String], channels: [String]) {
    var (commands, channels): ([String], [String]) = ([], [])
    for channel in changed.prefix(Self.channelsPerQuery) {
      changed.remove(channel)
      let name = Administration.quoted(identifier: channel)
      let wasListened = listened.remove(channel) != nil
      if wanted.contains(channel) {
        // Also where it is listened to already: then it was removed and added again meanwhile.
        commands.append("listen \(name)")
        channels.append(channel)
      } else if wasListened {
        commands.append("unlisten \(name)")
      }
    }
    return (commands, channels)
  }

  private func flush(_ connection: ListeningConnection) {
    if !connection.flush() { lost(connection.failureMessage) }
  }

  func ready() {
    guard case .up(let connection) = link else { return }
    executor.beginBurst()
    defer { executor.endBurst() }
    let isAlive = connection.consume()
    if let channels = asked {
      switch connection.answer() {
      case .none: break
      case .done:
        asked = nil
        looks = 0
        isHeard()
        listened.formUnion(channels)
        if !channels.isEmpty { observer.listening(to: channels) }
      case .refused(let error): return lost("\(error)")
      }
    }
    while let (channel, payload) = connection.nextNotification() { observer.heard(payload, on: channel) }
    guard isAlive else { return lost(connection.failureMessage) }
    ask()
    if case .up = link { flush(connection) }
  }

  private func lost(_ reason: String) {
    guard case .up(let connection) = link else { return }
    connection.close()
    away("the connection was lost: \(reason)")
  }

  private func away(_ reason: String) {
    if !isAway { logger.warning("live messages are not heard: \(reason)") }
    isAway = true
    link = .down
    observer.lost()
    executor.loop.scheduleTask(in: TimeAmount(backoff.next())) {
      if case .down = self.link { self.connect() }
    }
  }
}

/// A libpq connection that runs one query at a time and receives notifications. Confined to an event loop.
private final class ListeningConnection {
  enum Answer {
    /// No result has arrived yet.
    case none
    case done
    case refused(PostgresError)
  }

  private let raw: OpaquePointer
  private let descriptor: Int32
  private let token: UInt64
  private var isArmed = false
  private var failure: PostgresError?

  init(_ new: NewConnection, for target: any SocketPollerTarget, on executor: LoopExecutor) {
    raw = new.raw
    descriptor = PQsocket(new.raw)
    token = SocketPoller.shared.add(target, descriptor: descriptor, on: executor)
  }

  var failureMessage: String {
    String(cString: PQerrorMessage(raw)).split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  func send(_ sql: String) -> Bool { PQsendQuery(raw, sql) == 1 }

  /// Writes what the socket takes and waits for it to be readable or writable; false when the connection is lost.
  func flush() -> Bool {
    let pending = PQflush(raw)
    guard pending >= 0, PQsocket(raw) == descriptor else { return false }
    if !isArmed || pending == 1 {
      isArmed = true
      SocketPoller.shared.arm(token, descriptor: descriptor, forWriting: pending == 1)
    }
    return true
  }

  func consume() -> Bool {
    isArmed = false
    return PQconsumeInput(raw) == 1
  }

  func answer() -> Answer {
    while PQisBusy(raw) == 0 {
      guard let result = PQgetResult(raw) else {
        defer { failure = nil }
        return failure.map { .refused($0) } ?? .done
      }
      defer { PQclear(result) }
      let status = PQresultStatus(result)
      if status != PGRES_COMMAND_OK, status != PGRES_EMPTY_QUERY { failure = PostgresError(result: result) }
    }
    return .none
  }

  func nextNotification() -> (channel: String, payload: [UInt8])? {
    guard let notification = PQnotifies(raw) else { return nil }
    defer { PQfreemem(notification) }
    let text = UnsafeRawBufferPointer(start: notification.pointee.extra, count: strlen(notification.pointee.extra))
    return (String(cString: notification.pointee.relname), [UInt8](text))
  }

  func close() {
    SocketPoller.shared.remove(token, descriptor: descriptor)
    PQfinish(raw)
  }
}
