import Glibc
import Reflection
import TestSupport
import Testing

@testable import tandem

/// The built programs, as a user runs them: what needs a suite of its own. See ``RunningSuiteTests`` for the rest.
@Suite("the suite on one machine", .ownThreads, .timeLimit(.minutes(10)))
struct SuiteTests {
  private let place: SuitePlace

  init() throws { place = try SuitePlace() }

  @Test("stops without a trace")
  func stops() throws {
    let suite = try place.up()

    place.stop(suite)

    #expect(!Files.exists("\(place.home)/state.json"))
  }

  @Test("a suite that is thrown away leaves no folder")
  func thrownAway() throws {
    let suite = try place.up("--ephemeral")
    let found = try #require(RunningSuite.find(in: Workspace(home: place.home)))

    place.stop(suite)

    #expect(!Files.exists(found.data))
  }

  @Test("[O-6] on a standby it does not start, and says which URL to give")
  func standby() throws {
    let primary = try PrivateCluster.start()
    let standby = try primary.startStandby()

    let refused = try place.run(["up", "--port-offset", "\(place.ports.offset)", "--database-url", standby.url])

    #expect(refused.status == 1)
    #expect(refused.errors.contains("the server is a standby, which takes no changes: name the primary"), "\(refused)")
    #expect(refused.errors.contains("target_session_attrs=read-write") && !refused.errors.contains("REVOKE"))
    try primary.stopServer(mode: "immediate")
    try standby.stopServer(mode: "immediate")
  }

  @Test("loads the samples once; one command removes them, and the next start does not bring them back")
  func samples() throws {
    var suite = try place.up()
    let removed = try place.run(["samples", "remove"])
    #expect(removed.status == 0 && removed.output.contains("removed 12 gyms, 13 books, 226 ratings and 6 workouts"))
    #expect(removed.output.contains("removed 21 places"))
    place.stop(suite)
    suite = try place.up()
    #expect(try place.run(["samples", "remove"]).output.contains("removed 0 gyms, 0 books, 0 ratings and 0 workouts"))
    #expect(try place.run(["samples", "load"]).status == 0)
    #expect(try place.run(["samples", "remove"]).output.contains("removed 12 gyms"))
    try loadBook()
    let refused = try place.run(["samples", "load"])
    #expect(refused.status == 1 && refused.errors.contains("the catalog has other data"), "\(refused)")
    #expect(refused.output.contains("the samples are there: places"), "the other services' are loaded all the same")
    place.stop(suite)

    // As after a start at which lending's could not be loaded.
    try Files.write("catalog\n", to: Workspace(home: place.home).samples)
    suite = try place.up()
    #expect(try place.run(["samples", "remove"]).output.contains("removed 21 places"))
    place.stop(suite)
  }

  /// Loads a book that is no sample.
  private func loadBook() throws {
    let file = "\(place.scratch.path)/books.csv"
    try Files.write(
      "book_id,isbn13,authors,title,original_title,year,language\n1,9780439023481,Suzanne Collins,The Hunger Games,,2008,eng\n",
      to: file)
    let url = try #require(Files.text(Workspace(home: place.home).databaseURLFile(of: .catalog))).prefix { $0 != "\n" }
    let arguments = ["load", "books", file, "--format", "goodbooks", "--database-url=\(url)"]
    #expect(try Command("\(Command.folder)/catalog", arguments).finish().status == 0)
  }

  @Test("heals a service and the database that were killed")
  func heals() throws {
    let suite = try place.up("--ephemeral")
    let found = try #require(RunningSuite.find(in: Workspace(home: place.home)))
    let ready = try #require(Files.text("\(found.data)/run/lending.json"))
    kill(pid_t(try JSONValue(parsing: ready.dropLast())["pid"]?.integer ?? 0), SIGKILL)
    #expect(suite.waits(for: "lending was killed by signal 9 and is started again", atMost: SuitePlace.timeout))
    #expect(suite.waits(for: "lending ready", atMost: SuitePlace.timeout))
    #expect(try place.run(["status", "--service", "lending"]).status == 0)

    let postmaster = try #require(Files.text("\(found.databaseFolder)/data/postmaster.pid"))
    kill(pid_t(postmaster.prefix { $0 != "\n" }) ?? 0, SIGKILL)
    #expect(suite.waits(for: "postgres was killed by signal 9 and is started again", atMost: SuitePlace.timeout))
    #expect(try place.eventually { try place.run(["status"]).status == 0 })
    place.stop(suite)
  }

  @Test("leaves no process when it is killed itself, and comes up again")
  func killed() throws {
    let suite = try place.up()
    suite.signal(SIGKILL)
    #expect(suite.waitForEnd() == 128 + SIGKILL)
    #expect(place.eventually { place.processes.isEmpty }, "\(place.processes)")
    #expect(try place.run(["status"]).status == 1)
    place.stop(try place.up())
  }

  @Test("a database whose making was cut off is made anew")
  func cutOff() throws {
    let first = try Command.tandem(["up", "--home", place.home, "--port-offset", "\(place.ports.offset)"])
    let isBeingMade = place.eventually {
      ["data", "data.new"].contains { Files.exists("\(place.home)/postgres/\($0)/PG_VERSION") }
    }
    first.signal(SIGKILL)
    #expect(isBeingMade && first.waitForEnd() == 128 + SIGKILL)
    #expect(place.eventually { place.processes.isEmpty }, "\(place.processes)")
    place.stop(try place.up())
  }

  @Test("a second Ctrl-C ends at once what does not end by itself")
  func secondInterrupt() throws {
    let suite = try place.up("--ephemeral")
    let found = try #require(RunningSuite.find(in: Workspace(home: place.home)))
    let ready = try #require(Files.text("\(found.data)/run/lending.json"))
    kill(pid_t(try JSONValue(parsing: ready.dropLast())["pid"]?.integer ?? 0), SIGSTOP)
    suite.signal(SIGINT)
    #expect(suite.waits(for: "stopping\n", atMost: SuitePlace.timeout))
    place.stop(suite)
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
    address.sin_port = in_port_t(place.ports.rpc(.catalog)).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(bound == 0 && listen(descriptor, 1) == 0)
    let refused = try place.run(["up", "--port-offset", "\(place.ports.offset)"])
    #expect(refused.status == 1 && refused.errors.contains("port \(place.ports.rpc(.catalog)) (catalog) is taken by"))
    #expect(
      refused.errors.contains("(pid \(getpid()))")
        && refused.errors.contains("--port-offset \(place.ports.offset + 100)"))
    let doctor = try place.run(["doctor", "--port-offset", "\(place.ports.offset)"])
    #expect(doctor.status == 1 && doctor.output.contains("FAIL port \(place.ports.rpc(.catalog)) (catalog)"))
  }

  @Test("provisions and migrates with database URLs alone, as a migration job has them, and again")
  func migrates() throws {
    let suite = try place.up("--ephemeral")
    let data = try #require(RunningSuite.find(in: Workspace(home: place.home))).data
    let password = try #require(Files.text("\(data)/secrets/postgres_password"))
    var environment = [
      "TANDEM_DATABASE_URL": "postgresql://postgres:\(password)@127.0.0.1:\(place.ports.database)/tandem"
    ]
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
    place.stop(suite)
  }

  @Test("never asks without a terminal, and deletes what it made only")
  func reset() throws {
    let folder = Workspace(home: place.home)
    try folder.prepare()
    let unasked = try place.run(["reset"])
    #expect(unasked.status == 2 && unasked.errors.contains("--yes") && Files.exists(place.home))
    try Files.write("mine", to: "\(place.home)/thesis.txt")
    let refused = try place.run(["reset", "--yes"])
    #expect(refused.status == 1 && refused.errors.contains("thesis.txt") && Files.exists("\(place.home)/thesis.txt"))
    try Files.remove("\(place.home)/thesis.txt")
    #expect(try place.run(["reset", "--yes"]).status == 0 && !Files.exists(place.home))
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
