import ArgumentParser
import Glibc
import Postgres

/// A process that outlives the suite's, and removes what that leaves behind however it ends: its folder, and on another's server its
/// database and roles.
///
/// It sees the end of the suite's process as the end of its own standard input.
struct TestJanitor {
  let pid: Int32
  private let input: CInt

  /// Starts it; nothing that it is to remove needs to be there yet.
  init(for folder: TestFolder) throws(Complaint) {
    let life = try PrivatePipe()
    defer { close(life.readEnd) }
    input = life.writeEnd
    pid = try DetachedProcess.start(
      ["test", "remove", "--home", folder.home], input: life.readEnd, output: nil, errors: nil)
  }

  /// What is to be removed besides the suite's folder. A URL has a password, so it is not among the arguments.
  func note(_ remnant: Remnant) throws(Complaint) {
    let line = "\(remnant.line)\n"
    guard Glibc.write(input, line, line.utf8.count) == line.utf8.count else {
      throw Complaint("the process that removes what the suite leaves behind has ended: \(systemMessage())")
    }
  }

  /// Something outside of the suite's folder.
  enum Remnant: Equatable {
    /// A folder that is being made.
    case folder(String)
    /// The database and the roles of a suite, on the server of a superuser's URL.
    case database(url: String, suite: String)

    var line: String {
      switch self {
      case .folder(let path): "folder \(path)"
      case .database(let url, let suite): "database \(suite) \(url)"
      }
    }

    init?(_ line: some StringProtocol) {
      let parts = String(line).split(separator: Character(" "), maxSplits: 2).map { String($0) }
      switch (parts.first, parts.count) {
      case ("folder", 2...): self = .folder(parts.dropFirst().joined(separator: " "))
      case ("database", 3): self = .database(url: parts[2], suite: parts[1])
      default: return nil
      }
    }
  }
}

/// `tandem test remove`: what ``TestJanitor`` starts.
struct TestRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Wait for the end of a suite, then remove what it left behind.",
    shouldDisplay: false)

  @OptionGroup var place: HomeOption

  /// How long the suite's programs may take to end: the kernel ends them with their parent, a database closes its files first.
  private static let patience = Duration.seconds(20)

  func run() async throws {
    // It ends by itself, and who ends all of a suite's processes must not end it first.
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
    let folder = TestFolder(home: Workspace.home(named: place.home))
    let remnants = Self.remnants(try await BackgroundThread.run { Self.input() })
    for case .database(let url, let suite) in remnants {
      do { try await TestServerDatabase(url: url, suite: suite).drop() } catch { tell("tandem: \(error)") }
    }
    try await remove(
      [folder] + remnants.compactMap { if case .folder(let path) = $0 { TestFolder(home: path) } else { nil } })
  }

  private func remove(_ folders: [TestFolder]) async throws {
    let deadline = ContinuousClock.now + Self.patience
    while ContinuousClock.now < deadline {
      // A program that is ending may still write a file.
      if folders.allSatisfy(Self.isRemoved), !folders.contains(where: { Files.exists($0.home) }) { return }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Whether nothing writes to the folder any more, and it could be removed.
  private static func isRemoved(_ folder: TestFolder) -> Bool {
    guard hasEnded(folder) else { return false }
    do { try folder.remove() } catch { return false }
    return hasEnded(folder)
  }

  /// Whether the suite's own server has ended.
  private static func hasEnded(_ folder: TestFolder) -> Bool {
    let places = ["\(folder.home)/postgres"] + PrivateDatabase.relocatedFolders(of: folder.workspace)
    return places.allSatisfy { place in
      guard let text = Files.text("\(place)/data/postmaster.pid"), let pid = Int32(text.prefix { $0 != "\n" }) else {
        return true
      }
      return !TestProcess.isRunning(pid)
    }
  }

  private static func remnants(_ text: String) -> [TestJanitor.Remnant] {
    text.split(separator: "\n").compactMap { TestJanitor.Remnant($0) }
  }

  /// All of standard input: it ends with the suite's process.
  private static func input() -> String { Files.text("/dev/stdin") ?? "" }
}
