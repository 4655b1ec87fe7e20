public import Identifiers
public import Postgres

/// One run of a job, for its handler.
public struct JobRun: Sendable {
  /// The job's id, the same in every attempt; a repeating job has one for all its occurrences, which ``due`` tells apart.
  public let id: UUID7
  /// The job's key.
  public let key: String?
  /// When it was due; it may be long past.
  public let due: Instant
  /// The local day of this occurrence of a repeating job; `nil` for one that does not repeat.
  public let day: CivilDate?
  /// The number of this attempt, from 1.
  public let attempt: Int

  /// Whether it came before its time, because the clock of this replica is ahead.
  ///
  /// - Parameter now: the trusted present, as `Transaction.trusted(_:)` tells it.
  public func isEarly(at now: Instant) -> Bool { now < due }

  /// When a job that came too early is due again by the clock of this replica: what is left is left by any clock.
  public func dueAgain(at now: Instant, by jobs: Jobs) -> Instant { jobs.environment.clock.now + (due - now) }

  init(_ job: TakenJob) {
    id = job.id
    key = job.key
    due = job.due
    day = job.day
    attempt = Int(job.attempt)
  }
}

/// Thrown by a job's handler when another attempt cannot help: the job is given up at once.
public struct JobRefusal: Error, Sendable, CustomStringConvertible {
  /// The reason for the operator; it is stored and logged, so it must not contain users' data.
  public let description: String

  public init(_ reason: String) { description = reason }
}

/// The handler of one kind of job.
public struct JobHandler: Sendable {
  enum Effect: Sendable {
    case inDatabase(@Sendable (JobRun, [UInt8], Transaction) async throws -> Void)
    case outside(@Sendable (JobRun, [UInt8]) async throws -> Void)
  }

  let kind: String
  let limits: JobLimits
  let effect: Effect

  /// A handler whose whole effect is in the database: **exactly once**.
  ///
  /// The job is completed in the transaction that `body` gets: both or neither. The body may run several times, and in
  /// several replicas, but only one run's transaction commits; so it may have effects only through the transaction. In
  /// it the job counts as done: it can schedule its own kind and key again, or cancel its own recurrence.
  public static func inDatabase<Payload>(
    _ kind: JobKind<Payload>, _ body: @escaping @Sendable (Payload, JobRun, Transaction) async throws -> Void
  ) -> JobHandler {
    JobHandler(
      kind: kind.name, limits: kind.limits,
      effect: .inDatabase { run, bytes, tx in try await body(try payload(of: kind, bytes), run, tx) })
  }

  /// A handler with an effect elsewhere, such as a mail: **at least once**.
  ///
  /// A run whose process dies, or that takes longer than its kind's ``JobLimits/duration``, is followed by another.
  /// Pass ``JobRun/id`` and ``JobRun/due`` to the external system if it can recognise repetitions by them.
  public static func outside<Payload>(
    _ kind: JobKind<Payload>, _ body: @escaping @Sendable (Payload, JobRun) async throws -> Void
  ) -> JobHandler {
    JobHandler(
      kind: kind.name, limits: kind.limits,
      effect: .outside { run, bytes in try await body(try payload(of: kind, bytes), run) })
  }

  private static func payload<Payload>(
    of kind: JobKind<Payload>, _ bytes: [UInt8]
  ) throws(JobRefusal) -> Payload {
    do { return try Payload(jobBytes: bytes) } catch {
      throw JobRefusal("its payload cannot be read: \(error)")
    }
  }
}
