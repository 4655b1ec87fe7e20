import CSpawn
import Glibc
import Synchronization

/// A PostgreSQL server of the test's own in a temporary folder, without durability, on a free port of the loopback.
///
/// A shell process waits for the end of this process, however it ends, then stops the server and removes the folder.
public final class PrivateCluster: Sendable {
  /// A superuser's URL, for the database `postgres`.
  public let url: String
  /// The folder of its data and log.
  public let folder: String
  /// `127.0.0.1:54321`, for a URL of several servers.
  public var address: String { "127.0.0.1:\(port)" }
  /// A folder for a tablespace with little room; empty, and seen by the server alone.
  public var smallDisk: String { "\(folder)/small" }
  private let port: Int
  private let room: Room
  private let variables = Mutex<[String]>([])

  /// How much the server can store.
  public enum Room: Sendable {
    /// As much as the machine.
    case plenty
    /// In ``PrivateCluster/smallDisk`` so many mebibytes.
    case smallDisk(mebibytes: Int)
  }

  private init(folder: String, port: Int, _ room: Room) {
    self.folder = folder
    self.port = port
    self.room = room
    url = "postgresql://postgres@127.0.0.1:\(port)/postgres"
  }

  /// Makes a server and starts it; blocks for about half a second.
  ///
  /// - Parameter environment: what the server finds in its environment, given its folder.
  public static func start(
    room: Room = .plenty, environment: (_ folder: String) throws -> [String: String] = { _ in [:] }
  ) throws -> PrivateCluster {
    let cluster = try prepare(room)
    try run(
      "\(Self.asOwner("mkdir", cluster.folder))initdb -D \(cluster.folder)/data -U postgres -A trust -N --no-locale -E UTF8 >\(cluster.folder)/initdb.log 2>&1"
    )
    let variables = try environment(cluster.folder).map { "\($0.key)=\($0.value)" }.sorted()
    cluster.variables.withLock { $0 = variables }
    try cluster.startServer()
    return cluster
  }

  /// Makes a standby of this server that follows it, and starts it.
  public func startStandby() throws -> PrivateCluster {
    let standby = try Self.prepare(.plenty)
    try Self.run(
      "\(Self.asOwner("mkdir", standby.folder))pg_basebackup --no-sync -D \(standby.folder)/data -d \(url) -R -X stream -c fast"
    )
    try standby.startServer()
    return standby
  }

  /// Makes a standby take writes, as a failover does.
  public func promote() throws {
    try Self.run("\(Self.asOwner("", folder))pg_ctl -D \(folder)/data -w -s promote")
  }

  /// A folder, and the process that removes it.
  private static func prepare(_ room: Room) throws -> PrivateCluster {
    var template = Array("\(temporaryFolder)/tandem-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw ClusterError("no temporary folder: errno \(errno)") }
    let cluster = PrivateCluster(folder: String(cString: made), port: try FreePort.take(), room)
    chmod(cluster.folder, 0o755)
    try run(stopForgotten)
    try cluster.writeStop()
    try cluster.watch()
    return cluster
  }

  /// Starts the server again after ``stopServer(mode:)``.
  public func startServer() throws {
    let variables = variables.withLock { $0 }
    let environment = variables.isEmpty ? "" : "env \(variables.joined(separator: " ")) "
    let start =
      "\(environment)\(Self.asOwner("", folder))pg_ctl -D \(folder)/data -w -s -l \(folder)/data/log -o '\(Self.options(folder, port))' start"
    do {
      switch room {
      case .plenty: try Self.run(start)
      case .smallDisk(let mebibytes): try Self.run(withSmallDisk(of: mebibytes, start))
      }
    } catch let error as ClusterError {
      throw ClusterError("\(error)\n\(lastLogged)")
    }
  }

  /// The last 4 KiB of the server's log.
  private var lastLogged: String {
    guard let log = fopen("\(folder)/data/log", "r") else { return "it has no log" }
    defer { fclose(log) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    if fseek(log, -bytes.count, SEEK_END) != 0 { rewind(log) }
    let count = fread(&bytes, 1, bytes.count, log)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// `command` with a file system of its own, which disappears with the last process that uses it.
  private func withSmallDisk(of mebibytes: Int, _ command: String) -> String {
    let own = getuid() == 0 ? "" : " --user --map-current-user --keep-caps"
    let owner = getuid() == 0 ? "chown postgres \(smallDisk) && " : ""
    return """
      mkdir -p \(smallDisk) && unshare --mount\(own) sh -c "mount -t tmpfs -o size=\(mebibytes)m small \(smallDisk) && \(owner)\(command)"
      """
  }

  /// Stops all processes of the server where they are, as a machine does that hangs: its kernel goes on acknowledging
  /// what it is sent.
  public func freeze() throws { try signal("STOP") }

  /// Lets them go on.
  public func thaw() throws { try signal("CONT") }

  private func signal(_ name: String) throws {
    try Self.run(
      "main=$(head -n 1 \(folder)/data/postmaster.pid) && kill -s \(name) $main $(ps -o pid= --ppid $main)")
  }

  /// Stops the server as `pg_ctl -m mode` does: `fast` or `immediate`, the latter as a crash would.
  public func stopServer(mode: String) throws {
    try Self.run("\(Self.asOwner("", folder))pg_ctl -D \(folder)/data -w -s -m \(mode) stop")
  }

  private static func options(_ folder: String, _ port: Int) -> String {
    "-F -p \(port) -k \(folder)/data -c listen_addresses=127.0.0.1 -c max_connections=2000 -c shared_buffers=64MB"
      + " -c full_page_writes=off -c synchronous_commit=on -c autovacuum=off -c max_wal_size=1GB -c jit=off"
      // Of each line the time, the process and the database.
      + " -c log_line_prefix=%m/%p/%d:"
  }

  /// A prefix that runs a server program as `postgres` where this process is root, which the server refuses to run as.
  private static func asOwner(_ step: String, _ folder: String) -> String {
    let programs = getenv("TANDEM_POSTGRES_BIN").map { String(cString: $0) } ?? "/usr/lib/postgresql/15/bin"
    guard getuid() == 0 else { return "\(programs)/" }
    let prepare = step == "mkdir" ? "install -d -m 700 -o postgres \(folder)/data && " : ""
    return "\(prepare)runuser -u postgres -- \(programs)/"
  }

  private static var temporaryFolder: String { getenv("TMPDIR").map { String(cString: $0) } ?? clusterFolder }

  /// In memory where there is plenty: each database of a test is some 300 files, which a file system on a disk takes long to make and remove.
  private static let clusterFolder = hasRoom(in: "/dev/shm") ? "/dev/shm" : "/tmp"

  /// Whether the folder, and the memory that it is in, have more free than all clusters of a test run take.
  private static func hasRoom(in folder: String) -> Bool {
    let needed: UInt64 = 8 << 30
    var space = statvfs()
    guard statvfs(folder, &space) == 0, UInt64(space.f_bavail) * UInt64(space.f_frsize) >= needed else { return false }
    guard let file = fopen("/proc/meminfo", "r") else { return false }
    defer { fclose(file) }
    // The line is the third.
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("MemAvailable:") }),
      let kibibytes = line.split(separator: " ").compactMap({ UInt64($0) }).first
    else { return false }
    return kibibytes << 10 >= needed
  }

  /// Keeps the server running after this process; returns the script that stops it. A later test run stops it after an hour.
  func keep() -> String {
    if let mark = fopen("\(folder)/kept", "w") { fclose(mark) }
    return "\(folder)/stop"
  }

  /// Keeps the process's shared server running after it; returns the script that stops it, `nil` if the server is not private.
  static func keepShared() -> String? { shared.withLock { $0 }?.keep() }

  /// The server behind ``TestCluster/shared()``.
  static let shared = Mutex<PrivateCluster?>(nil)

  /// Stops the servers that failed tests kept more than an hour ago.
  private static var stopForgotten: String {
    "find \(temporaryFolder) -maxdepth 2 -path '*/tandem-test-*/kept' -mmin +60 -execdir sh ./stop ';' 2>/dev/null; true"
  }

  private func writeStop() throws {
    let script = """
      \(Self.asOwner("", folder))pg_ctl -D \(folder)/data -s -m immediate stop >/dev/null 2>&1
      rm -rf \(folder)

      """
    guard let file = fopen("\(folder)/stop", "w") else { throw ClusterError("no file in \(folder): errno \(errno)") }
    fputs(script, file)
    fclose(file)
  }

  /// Starts a shell that waits for this process's end, which it sees as the end of a pipe, then stops the server.
  private func watch() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw ClusterError("no pipe: errno \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let script = """
      trap '' INT TERM HUP
      cat >/dev/null
      test -e \(folder)/kept || exec sh \(folder)/stop
      """
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A session of its own keeps a terminal's Ctrl-C from it.
    posix_spawnattr_setflags(&attributes, Self.newSession)
    try Self.spawn(script, &actions, &attributes, wait: false)
    close(ends[0])
    // The other end stays open until the process ends; children do not inherit it.
  }

  /// `POSIX_SPAWN_SETSID` of glibc, which Swift does not import.
  private static let newSession: Int16 = 0x80

  private static func run(_ command: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    try spawn(command, &actions, &attributes, wait: true)
  }

  private static func spawn(
    _ command: String, _ actions: inout posix_spawn_file_actions_t, _ attributes: inout posix_spawnattr_t, wait: Bool
  ) throws {
    let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(command), nil]
    defer { for argument in arguments { free(argument) } }
    // The server outlives the call by far: it must not inherit a pipe or a port that another test has open.
    _ = tandem_close_from(&actions, STDERR_FILENO + 1)
    var child: pid_t = 0
    let status = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ)
    guard status == 0 else { throw ClusterError("no shell: errno \(status)") }
    guard wait else { return }
    var ended: Int32 = 0
    while waitpid(child, &ended, 0) < 0 && errno == EINTR {}
    guard ended == 0 else { throw ClusterError("this failed with status \(ended >> 8): \(command)") }
  }
}

/// Why there is no server to test against.
public struct ClusterError: Error, CustomStringConvertible {
  /// A line, and what the server logged last where it does not start.
  public let description: String

  init(_ description: String) { self.description = description }
}
