import Logging
import LoopExecutor
import Postgres
import ServiceLifecycle

/// Takes a listening service to readiness, announces that, and withdraws it when the service stops.
struct Startup: Service {
  let schema: Schema
  let database: Database
  /// Connections to the database that the process has outside of `database`'s pools.
  let otherConnections: Int
  let loops: LoopGroup
  let readiness: Readiness
  let migrates: Bool
  let readyFile: ReadyFile?
  let rpc: HostPort
  let admin: HostPort
  let began: ContinuousClock.Instant
  let announcement: ReadinessPromise
  let logger: Logger

  func run() async throws {
    readyFile?.remove()
    defer {
      // Only for tasks that still wait.
      announcement.make(false)
      schema.stopWaiting()
    }
    do {
      try await cancelWhenGracefulShutdown { try await becomeReady() }
    } catch is CancellationError {
      return stopBeingReady()  // stopped before it was ready
    }
    try? await gracefulShutdown()
    stopBeingReady()
  }

  /// Before the port refuses calls, so that a probe that asks in between sends no client here.
  private func stopBeingReady() {
    readiness.add("running") { "the service is stopping" }
    readyFile?.remove()
  }

  private func becomeReady() async throws {
    if migrates { try await schema.bringUpToDate() } else { try await schema.waitUntilCurrent() }
    try await takeConnections()
    // Every loop has connections of its own, and each connects in its own time.
    for loop in loops.executors {
      try await onceReachable { try await withTaskExecutorPreference(loop) { try await database.ping() } }
    }
    // Ready means what /readyz reports, so the service's own checks count too. They are polled until all pass: a check
    // sends no signal when its result changes.
    while await !readiness.report().isReady { try await Task.sleep(for: .milliseconds(5)) }
    try readyFile?.write(rpc: rpc, admin: admin)
    announcement.make(true)
    let elapsed = (ContinuousClock.now - began) / .milliseconds(1)
    logger.info(
      "ready", metadata: ["rpc": "\(rpc)", "admin": "\(admin)", "after_ms": "\(Int(elapsed.rounded()))"])
    await tellLacks()
  }

  private func tellLacks() async {
    for lack in await readiness.lacks() {
      logger.notice(
        "something is lacking, and the service goes on without",
        metadata: ["lack": "\(lack.subject)", "effect": "\(lack.effect)", "cure": "\(lack.cure)"])
    }
  }

  /// Sizes the pools by what the database allows, and logs the result.
  private func takeConnections() async throws {
    let share: ConnectionShare?
    do {
      share = try await onceReachable { try await database.takeShare(beside: otherConnections) }
    } catch let error as TooFewConnections {
      throw StartupError(failure: "\(error), or the setting database-connections")
    }
    guard let share else { return }
    let isWhole = share.taken == share.wanted
    logger.log(
      level: isWhole ? .debug : .info,
      isWhole ? "the database allows all connections" : "fewer connections, by what the database allows",
      metadata: [
        "max_connections": "\(share.server)", "allowed": "\(share.allowed)", "wanted": "\(share.wanted.connections)",
        "taken": "\(share.taken.connections + otherConnections)", "pipelined_loops": "\(share.taken.pipelined)",
        "transactions": "\(share.taken.transactions)", "slow": "\(share.taken.slow)",
      ])
  }

  private func onceReachable<R>(_ ask: () async throws -> R) async throws -> R {
    while true {
      do {
        return try await ask()
      } catch let error as PostgresError where error.isUnavailable {
        // A database does not signal when it is available again: it is polled, twenty times a second.
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }
}
