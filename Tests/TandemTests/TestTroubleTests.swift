import Glibc
import Postgres
import TestSupport
import Testing

@testable import tandem

/// What goes wrong around a suite for tests: each time it says what to do, and leaves nothing.
@Suite("35: trouble around suites for tests", .ownThreads, .timeLimit(.minutes(15)))
struct TestTroubleTests {
  private let place: TestPlace

  init() throws { place = try TestPlace(isPrepared: false) }

  @Test("a disk without room, for the suite or for the prepared database", arguments: ["TMPDIR", "XDG_CACHE_HOME"])
  func fullDisk(variable: String) throws {
    let small = "\(place.scratch.path)/cache"
    try Files.makeFolder(small)
    let own = geteuid() == 0 ? [] : ["--user", "--map-current-user", "--keep-caps"]
    var variables = place.variables()
    variables[variable] = small
    let script = "mount -t tmpfs -o size=16m small \(small) && exec \(Command.folder)/tandem test start"

    let refused = try Command(
      "/usr/bin/unshare", ["--mount"] + own + ["/bin/sh", "-c", script], environment: variables
    ).finish()

    #expect(
      refused.status == 1 && refused.errors.contains("MiB of room")
        && refused.errors.contains("make room there, or name a folder of another disk in \(variable)"), "\(refused)")
    #expect(try place.eventually { place.isEmpty }, "\(place.remains)")
  }

  @Test("a server whose disk is full")
  func fullServer() async throws {
    let cluster = try PrivateCluster.start(room: .smallDisk(mebibytes: 12))
    try await Administration.session(cluster.url) { session in
      try session.run("create tablespace small location '\(cluster.smallDisk)'")
      // A database is where its template is, unless it says otherwise.
      try session.run("alter database template1 set tablespace small")
      try session.run("create table filling (text text) tablespace small")
      do {
        while true { try session.run("insert into filling select repeat('x', 1900) from generate_series(1, 40)") }
      } catch let error as PostgresError where error.sqlState == .diskFull {}
    }

    let refused = try start(at: cluster.url)

    #expect(refused.contains("No space left on device; make room there, or leave out --database-url"), "\(refused)")
    #expect(try await place.remnants(on: cluster) == [])
  }

  @Test("a role without the rights, and a server that is not there")
  func refusals() async throws {
    let cluster = try PrivateCluster.start()
    _ = try await Administration.session(cluster.url) { try $0.run("create role modest login createdb createrole") }

    let modest = try start(at: "postgresql://modest@\(cluster.address)/postgres")
    let absent = try start(at: "postgresql://postgres@127.0.0.1:1/postgres")

    #expect(modest.contains("no superuser") && modest.contains("name a superuser, or leave out"), "\(modest)")
    #expect(absent.contains("name one that is up and lets this URL in, or leave out"), "\(absent)")
    #expect(try await place.remnants(on: cluster) == [])
  }

  @Test("a server that is too old", arguments: [(90_624, "9"), (140_009, "14")])
  func oldServer(version: Int, name: String) throws {
    let refusal = try #require(TestServerDatabase.refusal(version: version, isSuperuser: true))

    #expect(refusal.description.contains("is PostgreSQL \(name): name one of version 15 or newer, or leave out"))
    #expect(TestServerDatabase.refusal(version: 150_000, isSuperuser: true) == nil)
  }

  @Test("what killed suites left on a server the next one drops, and nothing of one that lives")
  func abandoned() async throws {
    let cluster = try PrivateCluster.start()
    let living = try place.start("ada", "--database-url", cluster.url)
    let killed = try place.start("ada", "--database-url", cluster.url)
    for process in ["janitor", "pid"] { kill(pid_t(killed.document[process]?.integer ?? 0), SIGKILL) }
    let folder = killed.text("home")
    #expect(try place.eventually { !place.processes.contains { commandLine($0).contains(folder) } })
    try await place.awaitEndOfSessions(of: String(folder.suffix(12)), on: cluster)
    #expect(try await suites(on: cluster) == names(of: [living, killed]))

    let next = try place.start("ada", "--database-url", cluster.url)

    #expect(try await suites(on: cluster) == names(of: [living, next]) && !Files.exists(folder))
    #expect(try living.tandem("test", "reset").status == 0)
    for suite in [living, next] { #expect(try suite.tandem("test", "stop").status == 0) }
    #expect(try place.eventually { place.isEmpty }, "\(place.remains)")
    #expect(try await place.remnants(on: cluster) == [])
  }

  private func commandLine(_ pid: pid_t) -> String { Files.text("/proc/\(pid)/cmdline") ?? "" }

  private func names(of suites: [StartedSuite]) -> Set<String> {
    Set(suites.map { String($0.text("home").suffix(12)) })
  }

  /// The names of the suites that have anything on the server.
  private func suites(on cluster: PrivateCluster) async throws -> Set<String> {
    Set(
      try await place.remnants(on: cluster).compactMap { $0.split(separator: "_").first { $0.count == 12 } }.map(
        String.init))
  }

  /// What a start says that is refused, of which nothing is left.
  private func start(at url: String) throws -> String {
    let refused = try place.tandem(["test", "start", "--database-url", url]).finish()
    #expect(refused.status == 1)
    #expect(try place.eventually { place.isEmpty }, "\(place.remains)")
    return refused.errors
  }
}
