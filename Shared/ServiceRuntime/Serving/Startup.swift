import Logging
import LoopExecutor
import Postgres
import ServiceLifecycle

/// Brings a listening service to readiness, says so, and takes it back when the service stops.
struct Startup: Service {
  let schema: Schema
  let database: Database
  let loops: LoopGroup
  let readiness: Readiness
  let migrates: Bool
  let readyFile: ReadyFile?
  let rpc: HostPort
  let admin: HostPort
  let began: ContinuousClock.Instant
  let announcement: Announcement
  let logger: Logger

  func run() async throws {
    readyFile?.remove()
    defer { announcement.make(false) }  // heard only by those who still wait
    do {
      try await cancelWhenGracefulShutdown { try await becomeReady() }
    } catch is CancellationError {
      return stopBeingReady()  // told to stop before it was ready
    }
    try? await gracefulShutdown()
    stopBeingReady()
  }

  /// Before the port refuses calls, so that whoever asks first sends none here.
  private func stopBeingReady() {
    readiness.add("running") { "the service is stopping" }
    readyFile?.remove()
  }

  private func becomeReady() async throws {
    if migrates { try await schema.bringUpToDate() } else { try await schema.waitUntilCurrent() }
    // Every loop has connections of its own, and each comes back in its own time.
    for loop in loops.executors { try await waitForDatabase(on: loop) }
    // Ready is what /readyz calls ready, so the service's own checks count too. They are asked again until all are well: a check is a question
    // and does not tell when its answer changes.
    while await !readiness.report().isReady { try await Task.sleep(for: .milliseconds(5)) }
    try readyFile?.write(rpc: rpc, admin: admin)
    announcement.make(true)
    let elapsed = (ContinuousClock.now - began) / .milliseconds(1)
    logger.info(
      "ready", metadata: ["rpc": "\(rpc)", "admin": "\(admin)", "after_ms": "\(Int(elapsed.rounded()))"])
  }

  private func waitForDatabase(on loop: LoopExecutor) async throws {
    while true {
      do {
        return try await withTaskExecutorPreference(loop) { try await database.ping() }
      } catch let error as PostgresError where error.isUnavailable {
        // A database that is away says to nobody when it is back: it is asked again, twenty times a second.
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }
}
