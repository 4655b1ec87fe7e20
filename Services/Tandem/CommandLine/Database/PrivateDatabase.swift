import Environment
import Glibc
import Postgres

/// The suite's own PostgreSQL server, on loopback, whose data may outlive the process.
struct PrivateDatabase: Sendable {
  /// The parent of PostgreSQL's data folder.
  let folder: String
  let port: Int
  /// The folder of PostgreSQL's programs.
  let programs: String
  /// The user that the server runs as; PostgreSQL refuses root.
  let user: UserAccount?
  /// Whether the data must survive a crash.
  let durability: Durability
  /// Why the data are not in the workspace, for output; `nil` if they are.
  let relocation: String?
  private let password: String

  enum Durability: Sendable {
    /// Every commit is flushed to disk.
    case kept
    /// Nothing is flushed to disk.
    case thrownAway
  }

  /// The oldest version whose features the suite uses.
  static let oldestVersion = 15

  init(_ workspace: Workspace, port: Int, durability: Durability) throws(Complaint) {
    programs = try Self.findPrograms()
    self.port = port
    self.durability = durability
    user = try Self.account()
    (folder, relocation) = Self.place(workspace, for: user)
    password = try Secrets(workspace).password(named: "postgres")
  }

  private var data: String { "\(folder)/data" }
  /// The folder in which the cluster is created, so that an interrupted creation is not mistaken for a cluster.
  private var unfinishedData: String { "\(data).new" }
  private var sockets: String { "\(folder)/socket" }
  /// The folder of PostgreSQL's log.
  var log: String { "\(folder)/log" }

  /// The programs of the newest installed version, in Debian's folder or on the path.
  static func findPrograms() throws(Complaint) -> String {
    let root = "/usr/lib/postgresql"
    let versions = Files.names(in: root).compactMap(Int.init).filter { $0 >= oldestVersion }.sorted(by: >)
    let path = (environment("PATH") ?? "").split(separator: ":").map(String.init)
    let folders = versions.map { "\(root)/\($0)/bin" } + path
    guard let found = folders.first(where: { Files.exists("\($0)/postgres") && Files.exists("\($0)/initdb") }) else {
      throw Complaint(
        "PostgreSQL \(oldestVersion) or newer is missing: install it (apt-get install postgresql), "
          + "or name a database of your own in TANDEM_DATABASE_URL")
    }
    return found
  }

  private static func account() throws(Complaint) -> UserAccount? {
    guard geteuid() == 0 else { return nil }
    guard let account = UserAccount(named: "postgres") else {
      throw Complaint("PostgreSQL does not run as root, and there is no user postgres: install the package postgresql")
    }
    return account
  }

  /// The folder of the data: in the workspace, unless another user must have access to it and has not.
  private static func place(_ workspace: Workspace, for user: UserAccount?) -> (String, String?) {
    let wanted = "\(workspace.data)/postgres"
    guard user != nil else { return (wanted, nil) }
    var folder = workspace.data
    while folder != "/" {
      folder = Paths.parent(of: folder)
      var status = stat()
      guard stat(folder, &status) == 0, status.st_mode & S_IXOTH == 0 else { continue }
      let elsewhere = relocatedFolders(of: workspace)
      return (elsewhere[access("/var/lib", W_OK) == 0 ? 0 : 1], "user postgres cannot pass through \(folder)")
    }
    return (wanted, nil)
  }

  /// The possible folders of a workspace's data outside of it.
  static func relocatedFolders(of workspace: Workspace) -> [String] {
    let name = workspace.data.split(separator: "/").joined(separator: "-")
    return ["/var/lib/tandem/\(name)", "/tmp/tandem/\(name)"]
  }

  /// Creates the cluster if it does not exist; returns whether it did.
  func prepare() async throws -> Bool {
    for path in [folder, sockets] {
      try Files.makeFolder(path, mode: 0o755)
      if let user { chown(path, user.uid, user.gid) }
    }
    let isNew = !Files.exists("\(data)/PG_VERSION")
    if isNew { try await initialize() }
    try checkVersion()
    return isNew
  }

  private func initialize() async throws {
    try Files.remove(unfinishedData)
    let passwordFile = "\(folder)/password"
    try Files.write(password, to: passwordFile)
    defer { unlink(passwordFile) }
    if let user { chown(passwordFile, user.uid, user.gid) }
    var plan = ChildPlan(name: "initdb", program: "\(programs)/initdb")
    plan.arguments = [
      "-D", unfinishedData, "-U", "postgres", "-A", "scram-sha-256", "--pwfile", passwordFile, "-E", "UTF8",
      "--no-locale",
      "--no-sync",
    ]
    if durability == .kept { plan.arguments += ["--data-checksums"] }
    plan.user = user
    let output = try await CommandOutput(running: plan)
    guard output.end == .exited(0) else {
      throw Complaint("the database cannot be made in \(data): \(output.text.lastLine)")
    }
    guard rename(unfinishedData, data) == 0 else {
      throw Complaint("the database cannot be made in \(data): \(systemMessage())")
    }
  }

  private func checkVersion() throws(Complaint) {
    let version = Files.text("\(data)/PG_VERSION")?.prefix { $0 != "\n" } ?? "?"
    let own = programs.split(separator: "/").first { Int($0) != nil }
    guard let own, own != version else { return }
    throw Complaint(
      "the data in \(folder) are of PostgreSQL \(version), but \(own) is what is installed: "
        + "install postgresql-\(version), or delete the data by `tandem reset`")
  }

  /// How the server is started.
  var plan: ChildPlan {
    var plan = ChildPlan(name: "postgres", program: "\(programs)/postgres")
    var settings = [
      "listen_addresses": "127.0.0.1", "port": "\(port)", "unix_socket_directories": usableSockets,
      "logging_collector": "on", "log_directory": log, "log_filename": "postgres.log", "log_file_mode": "0640",
      "log_truncate_on_rotation": "on", "max_connections": "500", "log_checkpoints": "off",
    ]
    if durability == .thrownAway {
      settings.merge(["fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"]) { $1 }
    }
    plan.arguments = ["-D", data] + settings.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
    plan.user = user
    // "Fast" shutdown ends sessions and writes a checkpoint, so that the next start needs no recovery; "immediate" is used when that takes
    // too long.
    plan.stopSignal = SIGINT
    plan.killSignal = SIGQUIT
    plan.orphanSignal = .interrupt
    return plan
  }

  /// The folder of the socket; empty if its path would be longer than the system allows, 107 bytes.
  private var usableSockets: String {
    "\(sockets)/.s.PGSQL.\(port)".utf8.count <= 107 ? sockets : ""
  }

  /// Whether the server with this process id accepts connections, by `postmaster.pid`, line 8.
  func isReady(pid: pid_t) -> Bool {
    let lines = (Files.text("\(data)/postmaster.pid") ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    return lines.count >= 8 && lines[0] == "\(pid)" && lines[7].hasPrefix("ready")
  }

  /// The last line of the server's log.
  var lastWords: String { (Files.text("\(log)/postgres.log") ?? "").lastLine }

  /// The URL for administration.
  func adminURL(database: String) -> String {
    "postgresql://postgres:\(password)@127.0.0.1:\(port)/\(database)"
  }

  /// Creates the suite's database if it does not exist.
  func makeDatabase() async throws {
    try await Administration.session(adminURL(database: "postgres")) { session in
      guard try session.run("select 1 from pg_database where datname = 'tandem'").isEmpty else { return }
      try session.run("create database tandem")
    }
  }
}

extension String {
  /// The last line that is not empty.
  var lastLine: String {
    split(separator: "\n").last.map(String.init) ?? "it says nothing"
  }
}
