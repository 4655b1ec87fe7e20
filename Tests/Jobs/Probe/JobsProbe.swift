import Glibc
import Jobs
import Postgres
import ServiceRuntime

/// A service that has only jobs, to be killed, stopped and run with a faked clock. Not part of the suite.
@main
struct JobsProbe: TandemService {
  static let service = ServiceDescription(
    name: "probe", purpose: "Does jobs and leaves a trace of each",
    migrations: [JobsSchema.jobs(version: 1), effects], settings: [deliveries.description])

  static let deliveries = Setting<String>(
    "deliveries", .text, default: "/dev/null", meaning: "file that gets a line for each delivery")

  private static let effects = Migration(
    version: 2, name: "effects",
    sql: """
      create table effects (
        place bigint generated always as identity constraint effects_pkey primary key,
        key text not null,
        due timestamptz not null,
        replica text not null
      );
      comment on table effects is 'What jobs did. Nothing keeps a job from leaving two.';
      comment on column effects.place is 'The order in which they were begun.';
      comment on column effects.key is 'The job''s key.';
      comment on column effects.due is 'When it was to be done.';
      comment on column effects.replica is 'Who did it.';
      """)

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let replica = "\(getpid())"
    let file = runtime.settings[deliveries]
    return ServedService(jobs: [
      .inDatabase(.record) { _, run, tx in
        try await tx.execute(AddEffect(key: run.key ?? "", due: run.due, replica: replica))
      },
      .outside(.deliver) { pause, run in
        try append("\(run.key ?? "") \(replica)\n", to: file)
        // The test decides the duration of the run, to kill the process meanwhile.
        try await Task.sleep(for: .milliseconds(Int64(pause) ?? 0))
      },
    ])
  }

  /// One write at the file's end, which is whole or not at all, whenever the process is killed.
  private static func append(_ line: String, to file: String) throws {
    let descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw JobRefusal("\(file) cannot be written: errno \(errno)") }
    defer { close(descriptor) }
    let bytes = Array(line.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else { throw JobRefusal("no room in \(file)") }
  }
}

extension JobKind where Payload == String {
  /// Leaves a row.
  static let record = JobKind("record", .impatient)
  /// Leaves a line, then waits for as many milliseconds as its payload says.
  static let deliver = JobKind("deliver", .impatient)
}

extension JobLimits {
  /// Leases of two seconds and no last attempt, for jobs whose processes are killed all the time.
  static let impatient: JobLimits = {
    var limits = JobLimits()
    limits.duration = .seconds(1)
    limits.attempts = 100_000
    limits.firstPause = .milliseconds(20)
    limits.maxPause = .milliseconds(100)
    return limits
  }()
}
