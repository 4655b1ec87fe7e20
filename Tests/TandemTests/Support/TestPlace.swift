import Glibc
import Postgres
import Reflection
import TestSupport
import Testing

@testable import tandem

/// A TMPDIR in which suites for tests are started, and what is left in it.
struct TestPlace: Sendable {
  private static let patience = Duration.seconds(120)

  let scratch: Scratch
  /// The folder of databases that are prepared for starts.
  private let cache: String

  /// - Parameter isPrepared: false for a place where no suite was ever started.
  init(isPrepared: Bool = true) throws {
    scratch = try Scratch(in: TestFolder.base)
    cache = isPrepared ? Self.keptCache : "\(scratch.path)/\(Self.ownCache)"
  }

  /// Starts the program.
  func tandem(_ arguments: [String], home: String? = nil, isTalkedTo: Bool = false) throws -> Command {
    try Command(
      "\(Command.folder)/tandem", arguments, environment: variables(home: home), isTalkedTo: isTalkedTo)
  }

  /// The environment of the program.
  func variables(home: String? = nil) -> [String: String] {
    var variables = ["TMPDIR": scratch.path, "HOME": scratch.path, "XDG_CACHE_HOME": cache]
    if let home { variables["TANDEM_HOME"] = home }
    return variables
  }

  /// A suite that has started.
  func start(_ users: String, _ more: String...) throws -> StartedSuite { try start(users, more) }

  func start(_ users: String, _ more: [String]) throws -> StartedSuite {
    let started = try SuiteTurns.take { try tandem(["test", "start", "--json", "--users", users] + more).finish() }
    try #require(started.status == 0, "\(started)")
    return StartedSuite(place: self, document: try JSONValue(parsing: started.output))
  }

  /// Kept between runs, as a user's is.
  private static let keptCache = "/tmp/tandem-test-cache-\(geteuid())"
  private static let ownCache = "cache"

  /// Whether no folder and no process is left; a prepared database may be.
  var isEmpty: Bool { folders.isEmpty && processes.isEmpty }

  private var folders: [String] {
    Files.names(in: scratch.path).filter { $0 != Self.ownCache }
      + Files.names(in: "\(cache)/tandem/test").filter { cache.hasPrefix(scratch.path) && $0.hasSuffix(".new") }
  }

  /// Goes back to when no suite was ever started here.
  func forgetPrepared() throws { try Files.remove("\(scratch.path)/\(Self.ownCache)") }

  /// The databases and roles of suites on a server.
  func remnants(on cluster: PrivateCluster) async throws -> [String] {
    try await Administration.session(cluster.url) { session in
      try session.run(
        """
        select datname from pg_database where datname like 'tandem\\_test\\_%'
        union all select rolname from pg_roles where rolname like 'tandem\\_%'
        """
      ).compactMap { $0[0] }
    }
  }

  /// Waits until the server has noticed that the processes of a suite, or of all, have ended.
  func awaitEndOfSessions(of suite: String = "", on cluster: PrivateCluster) async throws {
    let name = "'tandem\\_test\\_\(suite)%'"
    _ = try await Administration.session(cluster.url) { session in
      try session.run(
        """
        set statement_timeout = '60s';
        do $$ begin
          while exists (select from pg_stat_activity where datname like \(name) or application_name like \(name)) loop
            perform pg_sleep(0.01), pg_stat_clear_snapshot();
          end loop;
        end $$
        """)
    }
  }

  /// Processes of suites of this place.
  var processes: [pid_t] {
    Files.names(in: "/proc").compactMap { pid_t($0) }.filter { pid in
      guard TestProcess.isRunning(pid), pid != getpid() else { return false }
      // A process of PostgreSQL's server has another command line, and the server's folder.
      let folder = Self.target(of: "/proc/\(pid)/cwd")
      return [Files.text("/proc/\(pid)/cmdline"), Files.text("/proc/\(pid)/environ"), folder].contains {
        $0?.contains(scratch.path) ?? false
      }
    }
  }

  private static func target(of link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  /// What is left, for a failure.
  var remains: String {
    let commands = processes.map { "\($0) \(Files.text("/proc/\($0)/cmdline") ?? "")" }
    return "\(folders) \(commands)"
  }

  /// Whether it holds soon: that a process has ended nothing reports.
  func eventually(_ condition: () throws -> Bool) throws -> Bool {
    let deadline = ContinuousClock.now + Self.patience
    while ContinuousClock.now < deadline {
      if try condition() { return true }
      usleep(20_000)
    }
    return try condition()
  }
}

/// A suite for tests, which ends with the test.
final class StartedSuite: Sendable {
  let place: TestPlace
  let document: JSONValue

  init(place: TestPlace, document: JSONValue) { (self.place, self.document) = (place, document) }

  deinit {
    // Started by hand, as a deinit cannot report an error; a suite that was stopped is none any more.
    do { _ = try tandem("test", "stop") } catch { print("\(text("home")) may still run: \(error)") }
  }

  func text(_ name: String) -> String { document[name]?.string ?? "" }
  func user(_ name: String, _ fact: String) -> String { document["users"]?[name]?[fact]?.string ?? "" }

  /// Runs the program to its end.
  func tandem(_ arguments: String...) throws -> (output: String, errors: String, status: Int32) {
    try place.tandem(arguments, home: text("home")).finish()
  }

  /// What it answers in JSON.
  func json(_ arguments: String...) throws -> JSONValue {
    let done = try place.tandem(arguments, home: text("home")).finish()
    try #require(done.status == 0, "\(arguments): \(done)")
    return try JSONValue(parsing: done.output)
  }

  /// A token of a user that is good now.
  func token(_ user: String, _ state: String...) throws -> String {
    let done = try place.tandem(["test", "token", user] + state, home: text("home")).finish()
    try #require(done.status == 0, "\(done)")
    return String(done.output.dropLast())
  }

  /// The answer to a user's call.
  func call(_ method: String, _ request: String, _ user: String) throws -> JSONValue {
    try json("rpc", "call", method, "-d", request, "--token", try token(user), "-o", "json")
  }

  func eventually(_ condition: () throws -> Bool) throws -> Bool { try place.eventually(condition) }
}
