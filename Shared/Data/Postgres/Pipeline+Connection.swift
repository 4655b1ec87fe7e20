import CLibPQ
import LoopExecutor
import NIOCore

// Opening, losing and closing the connection.
extension Pipeline {
  /// Begins to connect, unless it has begun.
  func open() {
    guard case .idle = link else { return }
    link = .down(since: .now())
    expectConnection()
    connect()
  }

  /// Whether there is a connection now.
  var isUp: Bool { if case .up = link { true } else { false } }

  /// The server's version as `150018`; `nil` while there is no connection.
  var serverVersion: Int? { if case .up(let connection) = link { connection.serverVersion } else { nil } }

  /// A handle to cancel what runs now; `nil` while there is no connection.
  func cancellation() -> Cancellation? { if case .up(let connection) = link { connection.cancellation() } else { nil } }

  /// Closes the connection, because its state is unknown, and makes another.
  func renew(_ reason: String) {
    if case .up = link { lost(reason) }
  }

  /// Closes the connection for good; waiting calls get an unavailable error.
  func close() {
    if case .up(let connection) = link {
      connection.close()
      metrics.connections.decrement()
    }
    link = .closed
    let error = PostgresError.unavailable("the database was closed")
    failSent(error)
    failWaiting(error)
  }

  /// Looks now and then, while statements wait for an answer, whether one comes: the kernel of a server that hangs
  /// acknowledges what it is sent, so that no time limit of TCP ends the connection.
  func watchSilence() {
    guard let limit = settings.silenceLimit else { return }
    silence.isWatched = true
    executor.loop.scheduleTask(in: TimeAmount(Silence.interval)) {
      self.silence.isWatched = false
      guard case .up = self.link, !self.slots.isEmpty else { return self.silence.looks = 0 }
      guard self.silence.lasts(limit) else { return self.watchSilence() }
      self.silence.looks = 0
      self.lost("the server has not answered for \(limit)")
    }
  }

  private func connect() {
    let executor = executor
    settings.connector.connectPipelined { outcome in
      executor.loop.execute { self.connected(outcome) }
    }
  }

  private func connected(_ outcome: Result<NewConnection, PostgresError>) {
    switch (outcome, link) {
    case (.success(let new), .down):
      let connection = Connection(new, for: self, on: executor)
      link = .up(connection)
      backoff.reset()
      metrics.connections.increment()
      if lastFailure != nil { settings.logger.info("the database is back") }
      lastFailure = nil
      executor.beginBurst()
      if connection.flush() { scheduleFlush() } else { lost(connection.failureMessage) }
      executor.endBurst()
    case (.success(let new), _): PQfinish(new.raw)
    case (.failure(let error), .down(let since)):
      let isFirst = lastFailure == nil
      lastFailure = error
      if isFirst {
        settings.logger.warning("the database cannot be reached: \(error)")
        if isOverdue(since) { failWaiting(error) }
      }
      reconnectLater()
    case (.failure, _): break
    }
  }

  func lost(_ reason: String, _ sqlState: SQLState = .connectionFailure) {
    guard case .up(let connection) = link else { return }
    connection.close()
    metrics.connections.decrement()
    let error = PostgresError.unavailable("the connection was lost: \(reason)", sqlState)
    settings.logger.warning("\(error)")
    lastFailure = error
    link = .down(since: .now())
    failSent(error)
    // Waiting calls can still be sent on the next connection, unless they belong to a transaction of this one.
    if policy == .transaction { failWaiting(error) }
    // Later calls, of a later transaction too, wait for the next connection.
    expectConnection()
    reconnectLater()
  }

  private func reconnectLater() {
    executor.loop.scheduleTask(in: TimeAmount(backoff.next())) {
      if case .down = self.link { self.connect() }
    }
  }

  /// Fails waiting calls as unavailable, if there is still no connection when their timeout ends.
  ///
  /// While the first attempt lasts nothing is known to be wrong: calls wait for its outcome, and an attempt has a time limit.
  private func expectConnection() {
    guard case .down(let since) = link else { return }
    executor.loop.scheduleTask(deadline: since + settings.timeout) {
      guard case .down(let current) = self.link, current == since, let failure = self.lastFailure else { return }
      self.failWaiting(failure)
    }
  }

  /// Whether calls have waited long enough for a connection that is missing since then.
  func isOverdue(_ since: NIODeadline) -> Bool { NIODeadline.now() - since >= settings.timeout }

  private func failSent(_ error: PostgresError) {
    metrics.inFlight.decrement(by: Double(slots.calls))
    let sent = slots.removeAll() + again.map(\.call)
    again.removeAll()
    executor.beginBurst()
    onLoss?(error)
    for call in sent { call.fail(error) }
    executor.endBurst()
  }

  private func failWaiting(_ error: PostgresError) {
    let unsent = waiting
    waiting.removeAll()
    executor.beginBurst()
    onLoss?(error)
    for call in unsent { call.fail(error) }
    executor.endBurst()
  }
}
