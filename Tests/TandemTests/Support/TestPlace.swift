import Glibc
import Reflection
import TestSupport
import Testing

@testable import tandem

/// A TMPDIR in which suites for tests are started, and what is left in it.
struct TestPlace: Sendable {
  private static let patience = Duration.seconds(60)

  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Starts the program.
  func tandem(_ arguments: [String], home: String? = nil, isTalkedTo: Bool = false) throws -> Command {
    var variables = ["TMPDIR": scratch.path, "HOME": scratch.path, "XDG_CACHE_HOME": TestPlace.cache]
    if let home { variables["TANDEM_HOME"] = home }
    return try Command("\(Command.folder)/tandem", arguments, environment: variables, isTalkedTo: isTalkedTo)
  }

  /// A suite that has started.
  func start(_ users: String, _ more: String...) throws -> StartedSuite {
    let started = try tandem(["test", "start", "--json", "--users", users] + more).finish()
    try #require(started.status == 0, "\(started)")
    return StartedSuite(place: self, document: try JSONValue(parsing: started.output))
  }

  /// Kept between runs, as a user's is.
  private static let cache = "/tmp/tandem-test-cache-\(geteuid())"

  /// Whether no folder and no process is left.
  var isEmpty: Bool { Files.names(in: scratch.path).isEmpty && processes.isEmpty }

  /// Processes of suites of this place.
  var processes: [pid_t] {
    Files.names(in: "/proc").compactMap { pid_t($0) }.filter { pid in
      guard TestProcess.isRunning(pid), pid != getpid() else { return false }
      return [Files.text("/proc/\(pid)/cmdline"), Files.text("/proc/\(pid)/environ")].contains {
        $0?.contains(scratch.path) ?? false
      }
    }
  }

  /// What is left, for a failure.
  var remains: String {
    let commands = processes.map { "\($0) \(Files.text("/proc/\($0)/cmdline") ?? "")" }
    return "\(Files.names(in: scratch.path)) \(commands)"
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
