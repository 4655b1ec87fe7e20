import Environment
import Glibc
import Reflection

/// The folder of a suite for tests: its workspace, and the document that makes it one.
struct TestFolder: Sendable {
  private static let prefix = "tandem-suite-"
  /// What a suite takes that has a database server, in mebibytes: a new database, and what tests may write.
  static let ownServer = 200
  /// What a suite takes whose database is elsewhere.
  static let withoutServer = 8

  let workspace: Workspace

  var home: String { workspace.home }
  /// What `tandem test start` tells, in JSON. Only suites for tests have it.
  var document: String { "\(home)/test.json" }
  /// By how much the suite's clock is ahead of the machine's; see ``TestClock``.
  var clock: String { "\(home)/clock" }
  /// What its programs log once it has become ready.
  var log: String { "\(home)/log" }

  init(home: String) { workspace = Workspace(home: home, data: home) }

  /// The folder of suites: TMPDIR, else in memory where there is plenty. A database is some 2,400 files, which a disk takes seconds to
  /// make.
  static var base: String { environment("TMPDIR") ?? (hasPlenty(in: memory) ? memory : disk) }

  private static let (memory, disk) = ("/dev/shm", "/tmp")
  /// What a folder in memory must have free, and the machine: some suites' databases and their programs.
  private static let plenty = 4_096

  private static func hasPlenty(in folder: String) -> Bool {
    guard let room = room(in: folder), room >= plenty else { return false }
    let line = (Files.text("/proc/meminfo") ?? "").split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
    let kibibytes = line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    return kibibytes >> 10 >= plenty
  }

  /// In mebibytes; `nil` where the folder cannot be used.
  private static func room(in folder: String) -> Int? {
    var space = statvfs()
    guard statvfs(folder, &space) == 0 else { return nil }
    return Int(clamping: (UInt64(space.f_bavail) * UInt64(space.f_frsize)) >> 20)
  }

  /// A folder that is not there yet.
  static func new() -> TestFolder {
    TestFolder(home: "\(base)/\(prefix)\(SystemRandomness().bytes(6).hexadecimal)")
  }

  /// Distinguishes the suite from others of its server.
  var name: String { String(home.suffix(12)) }

  /// The suite of the option or of TANDEM_HOME.
  ///
  /// - Throws: for anything that `tandem test` did not start, or that runs no more.
  static func running(_ place: HomeOption) throws(Complaint) -> TestFolder {
    guard place.home != nil || environment("TANDEM_HOME") != nil else {
      throw Complaint(usage: "which suite? `eval \"$(tandem test start)\"` sets TANDEM_HOME, --home names one")
    }
    let folder = TestFolder(home: Workspace.home(named: place.home))
    guard Files.exists(folder.document) else {
      throw Complaint("\(folder.home) is not a suite that `tandem test start` started: it is left alone")
    }
    guard FolderLock.holder(folder.workspace) != nil else {
      throw Complaint("the suite of \(folder.home) runs no more; `tandem test start` starts another one")
    }
    return folder
  }

  /// - Parameter variable: the environment's, which names the folder.
  /// - Throws: where the disk of a folder has less room than so much, with what to do.
  static func requireRoom(in folder: String, namedBy variable: String, mebibytes: Int) throws(Complaint) {
    guard let free = room(in: folder) else { throw Complaint("\(folder) cannot be used: \(systemMessage())") }
    guard free < mebibytes else { return }
    throw Complaint(
      "the disk of \(folder) has \(free) MiB of room, and a suite for tests takes \(mebibytes): "
        + "make room there, or name a folder of another disk in \(variable)")
  }

  func read() throws(Complaint) -> TestDocument {
    guard let text = Files.text(document) else { throw Complaint("\(document) cannot be read: \(systemMessage())") }
    return try TestDocument(text)
  }

  func write(_ changed: TestDocument) throws(Complaint) {
    try Files.write(changed.json.text() + "\n", to: document)
  }

  /// Removes the folders of suites whose processes were killed, together with those that remove their remnants.
  static func removeAbandoned() {
    let places = environment("TMPDIR").map { [$0] } ?? [memory, disk]
    let folders = places.flatMap { place in
      Files.names(in: place).filter { $0.hasPrefix(prefix) }.map { TestFolder(home: "\(place)/\($0)") }
    }
    guard !folders.isEmpty else { return }
    // A suite that begins has no lock yet, and to look for one would be in its way.
    let commands = TestProcess.commands
    for folder in folders where folder.isOurs && !commands.contains(where: { $0.contains(folder.home) }) {
      guard FolderLock.holder(folder.workspace) == nil else { continue }
      do { try folder.remove() } catch { tell("tandem: \(error)") }
    }
  }

  private var isOurs: Bool {
    var status = stat()
    return lstat(home, &status) == 0 && status.st_uid == geteuid()
  }

  /// Removes the folder, and the database's where it is elsewhere.
  func remove() throws(Complaint) {
    for path in PrivateDatabase.relocatedFolders(of: workspace) + [home] { try Files.remove(path) }
  }
}

/// Processes by their numbers.
enum TestProcess {
  /// The program and the arguments of each that runs.
  static var commands: [String] {
    Files.names(in: "/proc").filter { Int32($0) != nil }.compactMap { Files.text("/proc/\($0)/cmdline") }
  }

  /// Whether the process does anything yet: one that has ended and was not waited for does not.
  static func isRunning(_ pid: Int32) -> Bool {
    guard let text = Files.text("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else { return false }
    return !["Z", "X"].contains(text[text.index(after: end)...].drop { $0 == " " }.prefix(1))
  }
}
