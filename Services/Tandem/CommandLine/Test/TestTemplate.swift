import Cryptography
import Environment
import Glibc
import Identifiers
import Postgres
import Base64

/// A prepared database that the suites of these programs begin with: migrated, with the samples, and with ``TestSnapshot``.
///
/// It is kept for the next start, and made anew for other programs.
struct TestTemplate {
  /// How many are kept for other programs than these: those of another build, and of the one before.
  private static let maxKept = 3
  /// What was used more lately than this may still be copied.
  private static let maxCopyTime = Duration.seconds(600)
  /// Distinguishes one that is being made: its process may be killed, and another one begin at once.
  private static let unfinished = ".new"

  private let folder: String
  private let key: String

  init() throws(Complaint) {
    folder = Self.cache
    key = try Self.key()
  }

  /// The template, which is made where it is missing.
  ///
  /// - Parameter suite: the suite that needs it.
  func prepare(for suite: TestFolder, _ janitor: TestJanitor) async throws -> Workspace {
    let workspace = Workspace(home: "\(folder)/\(key)")
    if isUsed(workspace) { return workspace }
    try Files.makeFolder(folder, mode: 0o711)
    // Others that start at the same time wait, and then find it.
    let descriptor = open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Complaint("\(folder)/lock cannot be opened: \(systemMessage())") }
    defer { close(descriptor) }
    try await BackgroundThread.run { while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {} }
    if isUsed(workspace) { return workspace }
    tell("preparing a database, once for these programs …")
    try removeOthers()
    try await make(workspace, Workspace(home: "\(workspace.home).\(suite.name)\(Self.unfinished)"), janitor)
    return workspace
  }

  /// Whether it is there; from now on it was used now.
  private func isUsed(_ workspace: Workspace) -> Bool { utimensat(AT_FDCWD, workspace.home, nil, 0) == 0 }

  /// Those whose making was interrupted, and all but the last of other programs.
  private func removeOthers() throws(Complaint) {
    let names = Files.names(in: folder).filter { $0 != "lock" }
    let whole = names.filter { !$0.hasSuffix(Self.unfinished) }.map { (name: $0, age: age(of: $0)) }
    let old = whole.sorted { $0.age < $1.age }.dropFirst(Self.maxKept).filter { $0.age > Self.maxCopyTime }
    for name in names.filter({ $0.hasSuffix(Self.unfinished) }) + old.map(\.name) {
      try TestFolder(home: "\(folder)/\(name)").remove()
    }
  }

  /// How long ago a template was used.
  private func age(of name: String) -> Duration {
    var facts = stat()
    guard stat("\(folder)/\(name)", &facts) == 0 else { return .zero }
    return SystemClock().now - Instant(microseconds: Int64(facts.st_mtim.tv_sec) * 1_000_000)
  }

  private func make(_ workspace: Workspace, _ draft: Workspace, _ janitor: TestJanitor) async throws {
    try TestFolder.requireRoom(in: folder, namedBy: "XDG_CACHE_HOME", mebibytes: TestFolder.ownServer)
    try janitor.note(.folder(draft.home))
    let ports = try ReservedPorts(Ports.count)
    var plan = UpPlan(
      home: draft.home, isEphemeral: false, ports: Ports(chosen: ports.numbers), ownDatabase: nil, showsTour: false,
      isVerbose: false)
    plan.settings = TestSettings.common
    plan.whenReady = { ready in
      try await TestSnapshot(databaseURL: ready.databaseURL).install()
      // Each suite has keys of its own: a token of one is none of another.
      try await Administration.session(ready.databaseURL) { _ = try $0.run("delete from identity.signing_keys") }
      try Files.write("", to: "\(draft.home)/done")
      return false
    }
    try await Suite.run(plan)
    withExtendedLifetime(ports) {}
    guard Files.exists("\(draft.home)/done") else { throw Complaint("the suite was stopped before it was ready") }
    let moves = zip(PrivateDatabase.relocatedFolders(of: draft), PrivateDatabase.relocatedFolders(of: workspace))
    for (from, to) in moves.filter({ Files.exists($0.0) }) + [(draft.home, workspace.home)] {
      guard rename(from, to) == 0 else { throw Complaint("\(to) cannot be made: \(systemMessage())") }
    }
  }

  /// Where this process is root, its home is mostly closed to the user that PostgreSQL runs as.
  private static var cache: String {
    let home = geteuid() == 0 ? "/var/cache" : environment("HOME").map { "\($0)/.cache" } ?? "/tmp/tandem-\(geteuid())"
    return "\(environment("XDG_CACHE_HOME") ?? home)/tandem/test"
  }

  /// The same for the same programs, and another one once they were built again.
  private static func key() throws(Complaint) -> String {
    var text = "\(try PrivateDatabase.findPrograms())"
    // What `tandem` itself puts into a prepared database is as it is of this one.
    for name in SuiteService.allCases.map(\.rawValue) + [GatewayProgram.name, "tandem"] {
      var facts = stat()
      let program = "\(Paths.programFolder)/\(name)"
      guard stat(program, &facts) == 0 else {
        throw Complaint("the program \(program) is missing: build it (`make build`), it belongs beside tandem")
      }
      text += " \(program) \(facts.st_size) \(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)"
    }
    return Digest.sha256(text.utf8).prefix(12).hexadecimal
  }
}

/// Settings of the services of every suite for tests.
enum TestSettings {
  /// Tests make users as fast as they can, all from one address.
  private static let unlimited = "1000000/1s"

  static var common: [String: String] {
    var settings = ["TANDEM_SHUTDOWN_GRACE": "200ms"]
    for name in [
      "REGISTRATIONS_OF_ADDRESS", "REGISTRATIONS_OF_DOMAIN", "REGISTRATIONS_IN_ALL", "RESENDS_OF_ADDRESS",
      "RESENDS_OF_DOMAIN", "RESENDS_IN_ALL", "RESETS_OF_DOMAIN", "RESETS_IN_ALL", "PASSKEY_STARTS_OF_ADDRESS",
      "PASSKEY_STARTS_IN_ALL", "REFUSED_PASSWORDS_OF_ADDRESS",
    ] {
      settings["TANDEM_IDENTITY_\(name)"] = unlimited
    }
    if environment("TANDEM_LOG_LEVEL") == nil { settings["TANDEM_LOG_LEVEL"] = "warning" }
    return settings
  }

  /// - Parameter sharesServer: whether other suites use the same database server.
  static func settings(clock: String, sharesServer: Bool) -> [String: String] {
    var settings = common
    settings["TANDEM_DEVELOPMENT_CLOCK"] = clock
    if sharesServer { settings["TANDEM_DATABASE_CONNECTIONS"] = "6" }
    return settings
  }
}
