import Glibc
import Reflection
import TestSupport
import Testing

@testable import tandem

/// The built programs, as a user runs them.
@Suite("the suite on one machine", .ownThreads, .serialized, .timeLimit(.minutes(3)))
struct SuiteTests {
  private static let timeout = Duration.seconds(60)
  private static let upLine = "Ctrl-C stops everything."

  private let scratch: Scratch
  private let ports: Ports

  init() throws {
    scratch = try Scratch()
    // Above the ports that other tests of this process take (`FreePort`).
    let offsets = stride(from: 15_000 + Int(getpid()) % 40 * 200, through: 24_400, by: 200)
    let free = offsets.first { Ports(offset: $0).all(withDatabase: true).allSatisfy { PortCheck.isFree($0.port) } }
    ports = Ports(offset: try #require(free))
  }

  private var home: String { "\(scratch.path)/.tandem" }

  private func up(_ arguments: String...) throws -> Command {
    let suite = try Command.tandem(["up", "--home", home, "--port-offset", "\(ports.offset)"] + arguments)
    let isUp = suite.waits(for: Self.upLine, atMost: Self.timeout)
    if !isUp { suite.signal(SIGKILL) }
    try #require(isUp, "\(suite.errorsSoFar)")
    return suite
  }

  private func run(_ arguments: [String], input: String? = nil) throws -> (
    output: String, errors: String, status: Int32
  ) {
    try Command.tandem(arguments + ["--home", home], input: input).finish()
  }

  /// The completions for the method that a user has begun to type.
  private func completion(_ typed: String) throws -> String {
    let words = ["tandem", "rpc", "call", "--home", home, typed]
    let arguments = ["---completion", "rpc", "call", "--", "positional@0", "5", "\(typed.count)"]
    return try Command.tandem(arguments + words).finish().output
  }

  private func stop(_ suite: Command) {
    suite.signal(SIGINT)
    #expect(suite.finish().status == 0)
    #expect(processes.isEmpty)
  }

  /// The processes that belong to this suite, by their ports' holders and the folder in their command lines.
  private var processes: [String] {
    let listening = ports.all(withDatabase: true).filter { !PortCheck.isFree($0.port) }.map {
      "\($0.owner): \($0.port)"
    }
    let commands = Files.names(in: "/proc").filter { Int($0) != nil }.compactMap { Files.text("/proc/\($0)/cmdline") }
    return listening + commands.filter { $0.contains("\(home)/postgres/data") }
  }

  /// Polls until the condition holds; for changes without a notification.
  private func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + Self.timeout
    while ContinuousClock.now < deadline {
      if try condition() { return true }
      // There is no notification of the change, so it polls; each check starts a process or reads all of /proc, so not too often.
      usleep(10_000)
    }
    return false
  }

  @Test("comes up, answers calls by their names alone, tells its state, and stops without a trace")
  func comesUp() throws {
    let suite = try up()
    #expect(suite.errorsSoFar.contains("Tandem is up after") && suite.errorsSoFar.contains("the first time"))

    #expect(try eventually { try completion("tandem.identity.v1.Accounts/Log") != "\n" })
    #expect(try completion("grpc.health.v1.Health/C") == "grpc.health.v1.Health/Check\n")
    let list = try run(["rpc", "list"])
    #expect(list.output.contains("tandem.identity.v1.Accounts\n") && list.output.contains("tandem.rpc.v1.Reflection\n"))
    let described = try run(["rpc", "describe", "tandem.identity.v1.Accounts/Login"])
    #expect(described.output.contains("rpc Login(") && described.output.contains("// access: public"))
    let reserved = try run(["rpc", "describe", "tandem.lending.v1.Loans/RetireBook"])
    #expect(reserved.output.contains("// access: service (catalog), idempotent"))
    let shared = try run(["rpc", "describe", "tandem.events.v1.EventLog/Follow"])
    #expect(
      shared.output.contains("// access: service (at catalog: identity, lending; at identity: matching, catalog,"))
    let health = try run(["rpc", "call", "grpc.health.v1.Health/Check", "-o", "json"])
    #expect(health.output == #"{"status":"SERVING"}"# + "\n" && health.status == 0)

    let status = try run(["status", "-o", "json"])
    let services = try JSONValue(parsing: status.output.dropLast()).array ?? []
    #expect(status.status == 0 && services.count == 6)
    for service in services {
      #expect(service["serving"] == .bool(true) && (service["schemaVersion"]?.integer ?? 0) > 0)
      #expect(service["version"]?.string?.isEmpty == false && service["database"]?.string?.contains("***") == true)
    }
    let doctor = try run(["doctor"])
    #expect(doctor.status == 0, "\(doctor.output)")
    let jobs = try run(["jobs", "list", "-o", "json"])
    #expect(jobs.status == 0 && jobs.output == "[]\n", "none is given up: \(jobs.output) \(jobs.errors)")

    let second = try run(["up"])
    #expect(
      second.status == 1 && second.errors.contains("already up") && second.errors.contains("process \(suite.pid)"))
    stop(suite)
    #expect(!Files.exists("\(home)/state.json"))
  }

  @Test("exit statuses tell refusals, wrong usage and missing connections apart")
  func exitStatuses() throws {
    let suite = try up("--ephemeral")
    let call = ["rpc", "call"]
    let options = "tandem.identity.v1.Profiles/ListProfileOptions"
    let refused = try run(call + ["tandem.identity.v1.Profiles/GetProfile", "-d", #"{"username": "nobody"}"#])
    #expect(refused.status == 80 && refused.output.isEmpty)
    #expect(refused.errors.contains("UNAUTHENTICATED (16)") && refused.errors.contains("TOKEN_MISSING"))
    let invalid = try run(
      call + ["tandem.identity.v1.Accounts/Register", "-d", "@", "-o", "json"], input: #"{"email": "x"}"#)
    let status = try JSONValue(parsing: invalid.errors.dropLast())
    #expect(invalid.status == 67 && status["name"] == .string("INVALID_ARGUMENT"))
    #expect(try run(call + [options, "-d", #"{"colour": 1}"#]).status == 2)
    #expect(try run(call + [options, "-d", "{"]).status == 2)
    #expect(try run(call + ["nonsense"]).status == 2)
    #expect(try run(call + [options, "--max-time", "0"]).status == 2)
    #expect(try run(call + ["tandem.identity.v1.Accounts/Fly"]).status == 76)
    #expect(try run(call + ["tandem.identity.v1.Flights/Fly"]).status == 69)
    let nobody = try run(call + [options, "--address", "127.0.0.1:1"])
    #expect(nobody.status == 1 && nobody.errors.contains("nobody listens there"))
    let late = try run(call + [options, "--max-time", "0.000001"])
    #expect(late.status == 68 && late.errors.hasPrefix("DEADLINE_EXCEEDED (4)"), "\(late.errors)")
    try connections(to: options)
    let data = try #require(RunningSuite.find(in: Workspace(home: home)))
    stop(suite)
    #expect(!Files.exists(data.data), "a throwaway suite leaves its folder")
  }

  /// The messages about a connection that fails, and about one that succeeds.
  private func connections(to method: String) throws {
    let call = ["rpc", "call", method, "--address", "localhost:\(ports.rpc(.identity))"]
    #expect(try run(call).status == 0, "the running suite's authority is known by both names of its address")
    let certificates = "\(try #require(RunningSuite.find(in: Workspace(home: home))).data)/certificates"
    #expect(try run(call + ["--ca", "\(certificates)/ca.crt"]).status == 0)
    let distrust = try run(call + ["--ca", "\(certificates)/identity.crt"])
    #expect(distrust.status == 1 && distrust.errors.contains("--ca"), "\(distrust.errors)")
    let plain = try run(call + ["--plaintext", "--max-time", "3"])
    #expect(plain.status == 68 || plain.status == 1 && plain.errors.contains("it may speak TLS"), "\(plain.errors)")
    let mixed = ["--cert", "\(certificates)/operator.crt", "--key", "\(certificates)/lending.key"]
    let foreignKey = try run(call + mixed)
    #expect(foreignKey.status == 2 && foreignKey.errors.contains("does not belong"), "\(foreignKey.errors)")
  }

  @Test("walks through the tour, and the next start finds the data")
  func tourAndData() throws {
    let first = try up()
    let tour = try run(["tour"])
    #expect(tour.status == 0 && tour.output.contains("That was the tour."), "\(tour.output)\(tour.errors)")
    let name = try #require(tour.output.firstRange(of: "ada_")).lowerBound
    let user = String(tour.output[name...].prefix { $0 != "," })
    stop(first)

    let second = try up()
    #expect(!second.errorsSoFar.contains("the first time"))
    let again = try run([
      "rpc", "call", "tandem.identity.v1.Accounts/Register", "-d",
      #"{"email": "other@example.org", "username": "\#(user)", "password": "Analytical-engine-1843"}"#,
    ])
    #expect(again.status != 0 && again.errors.contains("The username is already taken"), "\(again)")
    try operate(on: user)
    try lookAtTrackers()
    try rotateKeys()
    stop(second)
  }

  /// Shows, locks and deletes a user, as the suite's operator.
  private func operate(on user: String) throws {
    let locked = try run(["users", "lock", "\(user)@example.org"])
    #expect(locked.status == 0 && locked.output.contains("lockTime"), "\(locked)")
    let found = try run(["users", "find", user])
    #expect(found.output.hasSuffix("\(user)  \(user)@example.org  locked\n"), "\(found)")
    let unlocked = try run(["users", "unlock", user])
    #expect(unlocked.status == 0 && !unlocked.output.contains("lockTime"), "\(unlocked)")
    #expect(try run(["users", "delete", user]).status == 2)
    #expect(try run(["users", "delete", user, "--yes"]).status == 0)
    let gone = try run(["users", "show", user])
    #expect(gone.status == 1 && gone.errors.contains("there is no user \(user)"), "\(gone)")
  }

  /// Lists the providers of trackers, and pauses one that is not configured, as the suite's operator.
  private func lookAtTrackers() throws {
    let listed = try run(["trackers", "list"])
    #expect(listed.status == 0 && listed.output.isEmpty, "\(listed)")
    for method in ["sync", "pause"] {
      let refused = try run(["trackers", method, "strava"])
      #expect(refused.status != 0 && refused.errors.contains("There is no such tracker"), "\(refused)")
    }
  }

  /// Rotates the key, as the suite's operator.
  private func rotateKeys() throws {
    let rotated = try run(["keys", "rotate"])
    #expect(rotated.status == 0 && rotated.output.contains("keyId"), "\(rotated)")
    let again = try run(["keys", "rotate"])
    #expect(again.status == 73 && again.errors.contains("ROTATION_UNDER_WAY"), "\(again)")
    let listed = try run(["keys", "list"])
    #expect(listed.output.split(separator: "\n").count == 2 && listed.output.contains("accepted until"), "\(listed)")
  }

  @Test("loads the samples once; one command removes them, and the next start does not bring them back")
  func samples() throws {
    var suite = try up()
    let removed = try run(["samples", "remove"])
    #expect(removed.status == 0 && removed.output.contains("removed 12 gyms, 13 books, 226 ratings and 6 workouts"))
    #expect(removed.output.contains("removed 21 places"))
    stop(suite)
    suite = try up()
    #expect(try run(["samples", "remove"]).output.contains("removed 0 gyms, 0 books, 0 ratings and 0 workouts"))
    #expect(try run(["samples", "load"]).status == 0)
    #expect(try run(["samples", "remove"]).output.contains("removed 12 gyms"))
    try loadBook()
    let refused = try run(["samples", "load"])
    #expect(refused.status == 1 && refused.errors.contains("the catalog has other data"), "\(refused)")
    #expect(refused.output.contains("the samples are there: places"), "the other services' are loaded all the same")
    stop(suite)

    // As after a start at which lending's could not be loaded.
    try Files.write("catalog\n", to: Workspace(home: home).samples)
    suite = try up()
    #expect(try run(["samples", "remove"]).output.contains("removed 21 places"))
    stop(suite)
  }

  /// Loads a book that is no sample.
  private func loadBook() throws {
    let file = "\(scratch.path)/books.csv"
    try Files.write(
      "book_id,isbn13,authors,title,original_title,year,language\n1,9780439023481,Suzanne Collins,The Hunger Games,,2008,eng\n",
      to: file)
    let url = try #require(Files.text(Workspace(home: home).databaseURLFile(of: .catalog))).prefix { $0 != "\n" }
    let arguments = ["load", "books", file, "--format", "goodbooks", "--database-url=\(url)"]
    #expect(try Command("\(Command.folder)/catalog", arguments).finish().status == 0)
  }

  @Test("heals a service and the database that were killed")
  func heals() throws {
    let suite = try up("--ephemeral")
    let found = try #require(RunningSuite.find(in: Workspace(home: home)))
    let ready = try #require(Files.text("\(found.data)/run/lending.json"))
    kill(pid_t(try JSONValue(parsing: ready.dropLast())["pid"]?.integer ?? 0), SIGKILL)
    #expect(suite.waits(for: "lending was killed by signal 9 and is started again", atMost: Self.timeout))
    #expect(suite.waits(for: "lending ready", atMost: Self.timeout))
    #expect(try run(["status", "--service", "lending"]).status == 0)

    let postmaster = try #require(Files.text("\(found.databaseFolder)/data/postmaster.pid"))
    kill(pid_t(postmaster.prefix { $0 != "\n" }) ?? 0, SIGKILL)
    #expect(suite.waits(for: "postgres was killed by signal 9 and is started again", atMost: Self.timeout))
    #expect(try eventually { try run(["status"]).status == 0 })
    stop(suite)
  }

  @Test("leaves no process when it is killed itself, and comes up again")
  func killed() throws {
    let suite = try up()
    suite.signal(SIGKILL)
    #expect(suite.waitForEnd() == 128 + SIGKILL)
    #expect(eventually { processes.isEmpty }, "\(processes)")
    #expect(try run(["status"]).status == 1)
    stop(try up())
  }

  @Test("a database whose making was cut off is made anew")
  func cutOff() throws {
    let first = try Command.tandem(["up", "--home", home, "--port-offset", "\(ports.offset)"])
    let isBeingMade = eventually {
      ["data", "data.new"].contains { Files.exists("\(home)/postgres/\($0)/PG_VERSION") }
    }
    first.signal(SIGKILL)
    #expect(isBeingMade && first.waitForEnd() == 128 + SIGKILL)
    #expect(eventually { processes.isEmpty }, "\(processes)")
    stop(try up())
  }

  @Test("a second Ctrl-C ends at once what does not end by itself")
  func secondInterrupt() throws {
    let suite = try up("--ephemeral")
    let found = try #require(RunningSuite.find(in: Workspace(home: home)))
    let ready = try #require(Files.text("\(found.data)/run/lending.json"))
    kill(pid_t(try JSONValue(parsing: ready.dropLast())["pid"]?.integer ?? 0), SIGSTOP)
    suite.signal(SIGINT)
    #expect(suite.waits(for: "stopping\n", atMost: Self.timeout))
    stop(suite)
    // Without the second it would be killed because it "does not end by itself" within the grace that the first one gives.
    #expect(suite.errorsSoFar.contains("stopping at once") && suite.errorsSoFar.contains("lending is killed"))
  }

  @Test("names who holds a port that it needs, and a shift that works")
  func takenPort() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var on: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(ports.rpc(.catalog)).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(bound == 0 && listen(descriptor, 1) == 0)
    let refused = try run(["up", "--port-offset", "\(ports.offset)"])
    #expect(refused.status == 1 && refused.errors.contains("port \(ports.rpc(.catalog)) (catalog) is taken by"))
    #expect(
      refused.errors.contains("(pid \(getpid()))") && refused.errors.contains("--port-offset \(ports.offset + 100)"))
    let doctor = try run(["doctor", "--port-offset", "\(ports.offset)"])
    #expect(doctor.status == 1 && doctor.output.contains("FAIL port \(ports.rpc(.catalog)) (catalog)"))
  }

  @Test("provisions and migrates with database URLs alone, as a migration job has them, and again")
  func migrates() throws {
    let suite = try up("--ephemeral")
    let data = try #require(RunningSuite.find(in: Workspace(home: home))).data
    let password = try #require(Files.text("\(data)/secrets/postgres_password"))
    var environment = ["TANDEM_DATABASE_URL": "postgresql://postgres:\(password)@127.0.0.1:\(ports.database)/tandem"]
    for service in SuiteService.allCases {
      let variable = "TANDEM_\(service.rawValue.uppercased())_DATABASE_URL_FILE"
      environment[variable] = "\(data)/secrets/\(service.rawValue)_database_url"
    }
    for _ in 0..<2 {
      let migrated = try Command.tandem(["migrate"], environment: environment).finish()
      #expect(migrated.status == 0, "\(migrated.errors)")
      #expect(
        migrated.output.split(separator: "\n").allSatisfy { $0.hasSuffix(": nothing to do") }, "\(migrated.output)")
    }
    environment["TANDEM_LENDING_DATABASE_URL_FILE"] = "\(data)/secrets/identity_database_url"
    let refused = try Command.tandem(["provision"], environment: environment).finish()
    #expect(refused.status == 2 && refused.errors.contains("lending's role is tandem_lending"), "\(refused.errors)")
    stop(suite)
  }

  @Test("never asks without a terminal, and deletes what it made only")
  func reset() throws {
    let folder = Workspace(home: home)
    try folder.prepare()
    let unasked = try run(["reset"])
    #expect(unasked.status == 2 && unasked.errors.contains("--yes") && Files.exists(home))
    try Files.write("mine", to: "\(home)/thesis.txt")
    let refused = try run(["reset", "--yes"])
    #expect(refused.status == 1 && refused.errors.contains("thesis.txt") && Files.exists("\(home)/thesis.txt"))
    try Files.remove("\(home)/thesis.txt")
    #expect(try run(["reset", "--yes"]).status == 0 && !Files.exists(home))
  }

  @Test("data that a full disk does not take are said to be lost, with status 1")
  func fullDisk() throws {
    let script = #"exec "$0" --version >/dev/full"#
    let result = try Command("/bin/sh", ["-c", script, "\(Command.folder)/tandem"]).finish()
    #expect(result.status == 1)
    #expect(result.errors == "tandem: standard output cannot be written: No space left on device\n")
  }

  @Test(
    "wrong usage is one line and status 2",
    arguments: [
      ["up", "--colour"], ["fly"], ["rpc", "call"], ["up", "--port-offset", "x"], ["doctor", "--port-offset", "60000"],
      ["rpc", "call", "a.B/C", "-H", "two words: x"],
      ["rpc", "call", "a.B/C", "--address", "127.0.0.1:1", "--key", "/dev/null"],
    ])
  func usage(arguments: [String]) throws {
    let result = try Command.tandem(arguments).finish()
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.hasPrefix("tandem: ") && result.errors.count { $0 == "\n" } == 1, "\(result.errors)")
  }
}
