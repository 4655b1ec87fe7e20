public import Identifiers
public import Postgres

/// One run of a job, as its code sees it.
public struct JobRun: Sendable {
  /// The job's id, the same in every attempt; a repeating job has one for all its occurrences, which ``due`` tells apart.
  public let id: UUID7
  /// What it is about.
  public let key: String?
  /// When it was to be done; it may be long past.
  public let due: Instant
  /// The local day whose occurrence this is of a job that repeats; `nil` for one that does not.
  public let day: CivilDate?
  /// Which attempt this is, from 1.
  public let attempt: Int

  init(_ job: TakenJob) {
    id = job.id
    key = job.key
    due = job.due
    day = job.day
    attempt = job.attempt
  }
}

/// Thrown by a job's code when trying again cannot help: the job is given up at once.
public struct JobRefusal: Error, Sendable, CustomStringConvertible {
  /// Why, for the operator; it is stored and logged, so without users' data.
  public let description: String

  /// Gives the reason.
  public init(_ reason: String) { description = reason }
}

/// The code of one kind of job.
public struct JobHandler: Sendable {
  enum Effect: Sendable {
    case inDatabase(@Sendable (JobRun, [UInt8], Transaction) async throws -> Void)
    case outside(@Sendable (JobRun, [UInt8]) async throws -> Void)
  }

  let kind: String
  let limits: JobLimits
  let effect: Effect

  /// Code whose whole effect is in the database: **exactly once**.
  ///
  /// The job is done in the transaction that `body` is given: both or neither. The body may run several times, and by several replicas, but only
  /// one run's transaction commits; so it must do nothing but through the transaction. In it the job counts as done: it can schedule its own
  /// kind and key again, or cancel the recurrence that it is of.
  public static func inDatabase<Payload>(
    _ kind: JobKind<Payload>, _ body: @escaping @Sendable (Payload, JobRun, Transaction) async throws -> Void
  ) -> JobHandler {
    JobHandler(
      kind: kind.name, limits: kind.limits,
      effect: .inDatabase { run, bytes, tx in try await body(try payload(of: kind, bytes), run, tx) })
  }

  /// Code with an effect elsewhere, such as a mail: **at least once**.
  ///
  /// A run whose process dies, or that takes longer than its kind's ``JobLimits/duration``, is followed by another. Give the outside
  /// ``JobRun/id`` and ``JobRun/due``, if it can tell repetitions by them.
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
