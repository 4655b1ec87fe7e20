import Environment
import Identifiers
import Logging
import LoopExecutor
public import Postgres
public import ServiceLifecycle
import Synchronization

/// How many jobs a replica runs, and how often it polls.
public struct JobWorkerLimits: Sendable, Hashable {
  /// Jobs at a time, of all kinds together but those that have places of their own (``JobLimits/Places``).
  public var atOnce = 4
  /// How long a job may go unnoticed that another replica scheduled or released, or that a step of the clock made due.
  public var lookInterval: Duration = .seconds(5)

  public init() {}
}

/// Runs a service's jobs when they are due, concurrently with other replicas.
///
/// ``Jobs/environment``'s clock decides when a job is due: a replica whose clock is ahead runs jobs that much early.
/// How long a replica owns a job is decided by the database's clock alone, so that a wrong clock cannot make two
/// replicas believe they own the same job.
public final class JobWorker: Service {
  private let database: Database
  private let jobs: Jobs
  private let runner: JobRunner
  private let limits: JobWorkerLimits
  private let vacancies: ConcurrencyLimits
  private let kinds: [String]
  private let metrics: JobMetrics
  private let logger: Logger

  /// Between attempts until the database has answered for the first time, which takes little when all start together.
  private static let pauseAtStart: Duration = .milliseconds(20)
  /// Between attempts while the database is unavailable.
  private static let pauseAfterFailure: Duration = .seconds(1)
  /// Between attempts while another transaction, which may change it, has locked the next job's row.
  private static let pauseForLock: Duration = .milliseconds(10)

  /// Runs jobs of the kinds of `handlers`; those of other kinds wait for a release that knows them.
  ///
  /// - Parameter jobs: what the service schedules with; no other worker may have it, as its signal wakes one task.
  public init(
    _ handlers: [JobHandler], jobs: Jobs, database: Database, limits: JobWorkerLimits = JobWorkerLimits(),
    logger: Logger
  ) {
    let byKind = Dictionary(grouping: handlers, by: \.kind)
    precondition(byKind.values.allSatisfy { $0.count == 1 }, "a kind of job has two handlers")
    self.database = database
    self.jobs = jobs
    self.limits = limits
    self.logger = logger
    kinds = handlers.map(\.kind)
    metrics = JobMetrics(kinds: kinds)
    vacancies = ConcurrencyLimits(handlers, atOnce: limits.atOnce)
    runner = JobRunner(byKind.compactMapValues(\.first), jobs.environment, database, metrics, logger)
  }

  /// Runs jobs until the service stops; running jobs get a moment to end, and are released if they do not.
  public func run() async throws {
    await WorkOwner.$ofTask.withValue(WorkOwner(.background, "jobs")) { await work() }
  }

  private func work() async {
    await withGracefulShutdownHandler {
      await withDiscardingTaskGroup { group in
        group.addTask { await self.count() }
        group.addTask { await cancelWhenGracefulShutdown { await self.jobs.listen() } }
        var hasLooked = false
        while !jobs.signal.isFinished, !Task.isCancelled {
          do {
            var isIdle = true
            for room in vacancies.rooms {
              let taken = try await take(room)
              for job in taken { group.addTask { await self.run(job) } }
              if !taken.isEmpty { isIdle = false }
            }
            // After a batch there may be more.
            if isIdle { try await pauseUntilNext() }
            hasLooked = true
          } catch {
            await pause(after: error, hasLooked)
          }
        }
      }
    } onGracefulShutdown: {
      self.jobs.signal.finish()
    }
  }

  private func run(_ job: TakenJob) async {
    await runner.run(job)
    vacancies.leave(job.kind)
    jobs.signal.send()
  }

  /// Takes as many due jobs as there is room for, in the order of their times.
  private func take(_ room: ConcurrencyLimits.Room) async throws -> [TakenJob] {
    let rows = try await database.write(
      TakeDueJobs(vacancies: room.kinds, now: jobs.environment.clock.now, limit: room.total))
    let taken = rows.sorted { ($0.ready, $0.id) < ($1.ready, $1.id) }
    for job in taken { vacancies.enter(job.kind) }
    return taken
  }

  /// Waits until the next job is due, an earlier one is scheduled, or a run ends.
  private func pauseUntilNext() async throws {
    let kinds = vacancies.rooms.flatMap(\.kinds).map(\.kind)
    guard !kinds.isEmpty else { return await jobs.signal.wait(until: nil) }
    let next = try await database.first(NextReadyJob(kinds: kinds))
    let clock = jobs.environment.clock
    let now = clock.now
    // The next job is due and was not taken: another transaction has locked its row, and sends no signal when it ends.
    if let next, next <= now { return await wait { try await Task.sleep(for: Self.pauseForLock) } }
    let look = now + limits.lookInterval
    let moment = min(next ?? look, look)
    await wait(until: moment) { [limits] in try await clock.wait(until: moment, atMost: limits.lookInterval) }
  }

  /// Waits for the signal, at most as long as `timer` takes.
  private func wait(until moment: Instant? = nil, _ timer: @escaping @Sendable () async throws -> Void) async {
    await withTaskGroup(of: Void.self) { race in
      race.addTask { await self.jobs.signal.wait(until: moment) }
      // It throws only when the group is cancelled.
      race.addTask { try? await timer() }
      await race.next()
      race.cancelAll()
    }
  }

  private func pause(after error: any Error, _ hasLooked: Bool) async {
    // The service as a whole reports that the database is unavailable.
    logger.log(
      level: hasLooked ? .warning : .debug, "due jobs could not be looked up", metadata: ["cause": "\(error)"])
    let pause = hasLooked ? Self.pauseAfterFailure : Self.pauseAtStart
    // A database sends no signal when it is available again.
    await wait { try await Task.sleep(for: pause) }
  }

  /// Keeps the gauges up to date until the service stops.
  private func count() async {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          let waiting = try await self.database.rows(CountJobs(kinds: self.kinds, now: self.jobs.environment.clock.now))
          let dead = try await self.database.first(CountDeadJobs())
          self.metrics.waiting(waiting, dead: dead ?? 0)
        } catch {
          self.logger.debug("jobs could not be counted", metadata: ["cause": "\(error)"])
        }
        // It throws only the cancellation that ends the loop.
        try? await Task.sleep(for: self.limits.lookInterval)
      }
    }
  }
}

/// How many more jobs a replica can run, in all and of each kind.
final class ConcurrencyLimits: Sendable {
  /// Free places, and the kinds whose jobs may take them, with the free places of each.
  struct Room {
    let total: Int
    let kinds: [Vacancy]
  }

  private struct State {
    /// Of the kinds that share places.
    var total: Int
    var byKind: [String: Int]
  }

  private let handlers: [JobHandler]
  private let kindsWithOwnPlaces: Set<String>
  private let state: Mutex<State>

  init(_ handlers: [JobHandler], atOnce total: Int) {
    self.handlers = handlers
    kindsWithOwnPlaces = Set(handlers.filter { $0.limits.places == .own }.map(\.kind))
    let byKind = handlers.map { ($0.kind, $0.limits.atOnce) }
    state = Mutex(State(total: total, byKind: Dictionary(uniqueKeysWithValues: byKind)))
  }

  /// The free places that kinds share, and those that are of one kind each; without those where none is free.
  var rooms: [Room] {
    let state = state.withLock { $0 }
    let shared = vacancies(state, .shared) { min(state.total, $0) }
    let own = vacancies(state, .own) { $0 }
    let rooms = [
      Room(total: state.total, kinds: shared), Room(total: own.reduce(0) { $0 + $1.count }, kinds: own),
    ]
    return rooms.filter { !$0.kinds.isEmpty }
  }

  private func vacancies(_ state: State, _ places: JobLimits.Places, _ limit: (Int) -> Int) -> [Vacancy] {
    handlers.filter { $0.limits.places == places }.compactMap { handler in
      let count = limit(state.byKind[handler.kind] ?? 0)
      return count > 0 ? Vacancy(kind: handler.kind, count: count, lease: handler.limits.lease) : nil
    }
  }

  func enter(_ kind: String) { change(kind, by: -1) }

  func leave(_ kind: String) { change(kind, by: 1) }

  private func change(_ kind: String, by number: Int) {
    state.withLock {
      if !kindsWithOwnPlaces.contains(kind) { $0.total += number }
      $0.byKind[kind, default: 0] += number
    }
  }
}
