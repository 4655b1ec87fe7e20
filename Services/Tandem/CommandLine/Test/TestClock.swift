import Environment
import Glibc
import Identifiers
import Postgres

/// The clock of a suite for tests: a file with the microseconds by which it is ahead of the machine's, which all its programs have
/// in their memory, and the same in the database, whose clock services trust more than their own.
struct TestClock: Sendable {
  let path: String
  let databaseURL: String

  /// By how much it is ahead.
  var ahead: Duration {
    get throws(Complaint) {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.unusable(path) }
      defer { close(descriptor) }
      var value: Int64 = 0
      guard pread(descriptor, &value, 8, 0) == 8 else { throw Self.unusable(path) }
      return .microseconds(value)
    }
  }

  var now: Instant { get throws(Complaint) { SystemClock().now + (try ahead) } }

  /// Makes the database's part, in a database whose services have their roles.
  static func install(databaseURL: String) async throws {
    try await Administration.session(databaseURL) { session in
      try session.run("set client_min_messages to warning")
      try session.run(tables)
    }
  }

  /// Makes the file.
  static func make(_ path: String) throws(Complaint) { try write(.zero, to: path) }

  /// Sets it for all programs at once.
  ///
  /// That a moment was left out is no outage: what says since when services have served is moved along, while they cannot note it.
  ///
  /// Meanwhile the database's clock is ahead of the programs', never behind: a job that a program's clock alone makes due takes that
  /// clock to be wrong, and waits as long again.
  func set(ahead: Duration) async throws {
    let (path, microseconds) = (path, ahead.wholeMicroseconds)
    let step = microseconds - (try self.ahead).wholeMicroseconds
    do {
      try await Administration.session(databaseURL) { session in
        try Self.moveHeartbeat(by: step, session)
        try session.run("update tracking.uptime set seen_at = seen_at + $1::bigint * interval '1 us'", ["\(step)"])
        try session.run("update tandem_clock.ahead set step = $1::bigint * interval '1 us'", ["\(microseconds)"])
        if step < 0 { try Self.write(ahead, to: path) }
        try session.run("commit")
        if step >= 0 { try Self.write(ahead, to: path) }
      }
    } catch let error as PostgresError {
      throw Complaint("the database's clock cannot be moved: \(error)")
    }
  }

  /// Begins the transaction that moves the clock, with matching's heartbeat moved and locked.
  ///
  /// It is moved before, by a statement of its own: what is due at the new moment is judged at once, and reads it without waiting.
  private static func moveHeartbeat(by step: Int64, _ session: borrowing AdministrationSession) throws {
    while true {
      let moved = try session.run(
        "update matching.heartbeat set last_beat_at = last_beat_at + $1::bigint * interval '1 us' returning last_beat_at::text",
        ["\(step)"])
      try session.run("begin")
      let held = try session.run("select last_beat_at::text from matching.heartbeat for update")
      if held == moved { return }
      // A beat in between has taken it back.
      try session.run("rollback")
    }
  }

  /// Written in place: another file of the same name would be another clock.
  private static func write(_ ahead: Duration, to path: String) throws(Complaint) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unusable(path) }
    defer { close(descriptor) }
    var value = ahead.wholeMicroseconds
    guard pwrite(descriptor, &value, 8, 0) == 8 else { throw unusable(path) }
  }

  private static let tables = """
    create schema if not exists tandem_clock;
    create table if not exists tandem_clock.ahead (step interval not null);
    delete from tandem_clock.ahead;
    insert into tandem_clock.ahead values ('0');
    create or replace function tandem_clock.clock_timestamp() returns timestamptz language sql volatile as
      'select pg_catalog.clock_timestamp() + step from tandem_clock.ahead';
    grant usage on schema tandem_clock to public;
    grant select on tandem_clock.ahead to public;
    """

  private static func unusable(_ path: String) -> Complaint {
    Complaint("the suite's clock, \(path), cannot be used: \(systemMessage())")
  }
}
