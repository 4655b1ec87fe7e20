import ArgumentParser
import Glibc
import Postgres
import Reflection

/// `tandem test serve`: the process of a suite for tests, which `start` and `run` start.
struct TestServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Be a suite for tests until a signal; `start` and `run` start it.",
    shouldDisplay: false)

  @OptionGroup var people: TestPeopleOptions

  @Option(help: "The folder, which is not there yet.")
  var home: String

  @Option(help: ArgumentHelp("End by itself after so many seconds.", valueName: "seconds"))
  var lifetime: Int

  @Flag(help: "End with standard input also once that has said that the suite was told of.")
  var attached = false

  func run() async throws {
    try await TestServer(
      folder: TestFolder(home: home), names: people.names,
      serverURL: environment(TestPeopleOptions.databaseVariable), lifetime: lifetime, isAttached: attached
    ).run()
  }
}

/// A suite for tests, from its start to its end.
struct TestServer: Sendable {
  let folder: TestFolder
  let names: [String]
  /// A superuser's URL of a server that others use too; `nil` for a server of the suite's own.
  let serverURL: String?
  let lifetime: Int
  let isAttached: Bool

  func run() async throws {
    clearEnvironment()
    let janitor = try TestJanitor(for: folder)
    // The default action ends this process, and the kernel and the janitor do the rest.
    alarm(UInt32(clamping: lifetime))
    endWithStarter()
    TestFolder.removeAbandoned()
    let ports = try ReservedPorts(Ports.count)
    try Files.makeFolder(folder.home, mode: 0o711)
    try TestFolder.requireRoom(
      in: folder.home, namedBy: "TMPDIR",
      mebibytes: serverURL == nil ? TestFolder.ownServer : TestFolder.withoutServer)
    try TestClock.make(folder.clock)
    let plan = try await plan(Ports(chosen: ports.numbers), janitor)
    try await Suite.run(plan)
    withExtendedLifetime(ports) {}
    guard hasBeenReady else { throw Complaint("the suite was stopped before it was ready") }
  }

  private func plan(_ ports: Ports, _ janitor: TestJanitor) async throws -> UpPlan {
    var plan = UpPlan(
      home: folder.home, isEphemeral: true, ports: ports, ownDatabase: nil, showsTour: false, isVerbose: false)
    plan.throwaway = folder.home
    plan.settings = TestSettings.settings(clock: folder.clock, sharesServer: serverURL != nil)
    if let serverURL {
      let database = try TestServerDatabase(url: serverURL, suite: folder.name)
      try janitor.note(.database(url: serverURL, suite: folder.name))
      try await database.make()
      plan.ownDatabase = NamedDatabase(url: database.databaseURL, source: "--database-url")
      plan.name = folder.name
    } else {
      plan.template = try await TestTemplate().prepare(for: folder, janitor)
    }
    let (folder, names, isNew, pid) = (folder, names, serverURL != nil, janitor.pid)
    plan.whenProvisioned = { try await TestClock.install(databaseURL: $0) }
    plan.whenReady = { ready in
      let users = try await TestPeople.with(ready.state) { try await $0.add(names) }
      let snapshot = TestSnapshot(databaseURL: ready.databaseURL)
      try await snapshot.settle()
      if isNew { try await snapshot.install() } else { try await snapshot.keep() }
      let document = TestDocument(ready, folder, janitor: pid, users: users)
      try folder.write(document)
      return try Self.handOver(document, folder)
    }
    return plan
  }

  /// Tells who started the suite that it is ready; from then on its messages go to the log.
  ///
  /// - Returns: false when that process has ended: then no one knows of the suite.
  private static func handOver(_ document: TestDocument, _ folder: TestFolder) throws(Complaint) -> Bool {
    let log = open(folder.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard log >= 0, nothing >= 0 else { throw Complaint("\(folder.log) cannot be written: \(systemMessage())") }
    defer {
      close(log)
      close(nothing)
    }
    guard isRead(writing: document.json.text() + "\n", to: STDOUT_FILENO) else { return false }
    dup2(log, STDERR_FILENO)
    dup2(nothing, STDOUT_FILENO)
    return true
  }

  /// Once the suite is over its folder is gone, but a suite that never was ready has not written anything for who waits.
  private var hasBeenReady: Bool {
    var facts = stat()
    return fstat(STDOUT_FILENO, &facts) == 0 && facts.st_mode & S_IFMT == S_IFCHR
  }

  /// Variables of another suite, which a test's shell may have.
  private func clearEnvironment() {
    var names = ["TANDEM_HOME", "TANDEM_CA", "TANDEM_TOKEN", "TANDEM_ADDRESS", "TANDEM_CERT", "TANDEM_KEY"]
    var place = environ
    while let entry = place.pointee {
      names += [String(cString: entry).prefix { $0 != "=" }].map(String.init).filter { $0.hasPrefix("TANDEM_TEST_") }
      place += 1
    }
    for name in names { unsetenv(name) }
  }

  /// The process at the other end of standard input sends a byte once it has told of the suite: with the end of that process before,
  /// no one would know of it. An attached suite ends with it also afterwards.
  private func endWithStarter() {
    let isAttached = isAttached
    _ = BackgroundThread.start {
      var byte: UInt8 = 0
      while true {
        let count = read(STDIN_FILENO, &byte, 1)
        if count > 0, !isAttached { return }
        if count == 0 || count < 0 && errno != EINTR { break }
      }
      kill(getpid(), SIGTERM)
    }
  }
}
