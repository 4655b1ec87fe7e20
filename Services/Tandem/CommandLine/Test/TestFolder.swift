import Environment
import Glibc
import Reflection

/// The folder of a suite for tests: its workspace, and the document that makes it one.
struct TestFolder: Sendable {
  private static let prefix = "tandem-suite-"

  let workspace: Workspace

  var home: String { workspace.home }
  /// What `tandem test start` tells, in JSON. Only suites for tests have it.
  var document: String { "\(home)/test.json" }
  /// By how much the suite's clock is ahead of the machine's; see ``TestClock``.
  var clock: String { "\(home)/clock" }
  /// What its programs log once it has become ready.
  var log: String { "\(home)/log" }

  init(home: String) { workspace = Workspace(home: home, data: home) }

  /// A folder that is not there yet, in TMPDIR.
  static func new() -> TestFolder {
    TestFolder(home: "\(environment("TMPDIR") ?? "/tmp")/\(prefix)\(SystemRandomness().bytes(6).hexadecimal)")
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

  func read() throws(Complaint) -> TestDocument {
    guard let text = Files.text(document) else { throw Complaint("\(document) cannot be read: \(systemMessage())") }
    return try TestDocument(text)
  }

  func write(_ changed: TestDocument) throws(Complaint) {
    try Files.write(changed.json.text() + "\n", to: document)
  }

  /// Removes the folders of suites whose processes were killed, and that no process removed.
  static func removeAbandoned() {
    let base = environment("TMPDIR") ?? "/tmp"
    for name in Files.names(in: base) where name.hasPrefix(prefix) {
      let folder = TestFolder(home: "\(base)/\(name)")
      var status = stat()
      guard lstat(folder.home, &status) == 0, status.st_uid == geteuid(), let text = Files.text(folder.workspace.lock),
        let pid = Int32(text.prefix { $0 != "\n" }), !TestProcess.isRunning(pid)
      else { continue }
      do { try folder.remove() } catch { tell("tandem: \(error)") }
    }
  }

  /// Removes the folder, and the database's where it is elsewhere.
  func remove() throws(Complaint) {
    for path in PrivateDatabase.relocatedFolders(of: workspace) + [home] { try Files.remove(path) }
  }
}

/// Processes by their numbers.
enum TestProcess {
  /// Whether the process does anything yet: one that has ended and was not waited for does not.
  static func isRunning(_ pid: Int32) -> Bool {
    guard let text = Files.text("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else { return false }
    return !["Z", "X"].contains(text[text.index(after: end)...].drop { $0 == " " }.prefix(1))
  }
}
