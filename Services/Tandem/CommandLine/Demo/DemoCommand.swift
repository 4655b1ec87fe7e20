import ArgumentParser
import Glibc
import Reflection

/// `tandem demo`.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Have some people in the running suite who walk, lend books, train and chat; or remove them.",
    usage: """
      tandem demo seed
      tandem demo reset --yes
      tandem demo run
      tandem demo run --track ada.gpx --track hedy.gpx
      """,
    discussion: """
      For a suite that `tandem up` runs on this machine. Five people, \(DemoPeople.names.joined(separator: ", ")), are made \
      by the calls that anybody makes, so that they can be seen by the console and by every client; their password is \
      \(DemoPeople.password), which everybody knows: never where people are. `tandem up --demo` does `tandem demo run`.

      Exit status: 0 done, 1 not done, 2 wrong usage.
      """,
    subcommands: [SeedDemoCommand.self, ResetDemoCommand.self, RunDemoCommand.self])

  /// The program that keeps the demonstration of a suite going.
  static func plan(_ workspace: Workspace) -> ChildPlan {
    var plan = ChildPlan(name: "demo", program: "\(Paths.programFolder)/tandem", arguments: ["demo", "run"])
    plan.environment = ["TANDEM_HOME": workspace.home, "TANDEM_ADDRESS": nil, "TANDEM_CA": nil]
    return plan
  }

  /// Calls `body` with the suite that runs on this machine.
  static func with(
    _ place: HomeOption, _ body: @escaping @Sendable (Demo, Workspace) async throws -> Void
  ) async throws {
    let home = Workspace(home: Workspace.nearestHome(named: place.home))
    guard let running = RunningSuite.find(in: home) else {
      throw Complaint("no suite is up here; the demonstration is for one that `tandem up` runs")
    }
    let workspace = Workspace(home: home.home, data: running.data)
    try await TourCommand.with(ReachableSuite(running), mail: running.mail) { tour in
      try await body(Demo(tour: tour), workspace)
    }
  }

  /// Makes what is missing, after another process that is at it now.
  static func seed(_ demo: Demo, _ workspace: Workspace) async throws -> DemoPeople {
    let lock = try await DemoLock(workspace)
    defer { withExtendedLifetime(lock) {} }
    return try await demo.seed()
  }

  static func show(_ form: OutputForm) {
    let people = DemoPeople.names.map { JSONValue.string($0) }
    if form == .json {
      let answer = JSONValue.members(["people": .array(people), "password": .string(DemoPeople.password)])
      return write(answer.text(.oneLine) + "\n", to: STDOUT_FILENO)
    }
    let names = DemoPeople.names.joined(separator: ", ")
    write("\(names) are there; their password is \(DemoPeople.password)\n", to: STDOUT_FILENO)
  }
}

/// `tandem demo seed`.
struct SeedDemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed", abstract: "Make the people and what they have; what is there is left as it is.")

  @OptionGroup var place: HomeOption
  @OptionGroup var form: OutputOption

  func run() async throws {
    try await DemoCommand.with(place) { _ = try await DemoCommand.seed($0, $1) }
    DemoCommand.show(form.output)
  }
}

/// `tandem demo reset`.
struct ResetDemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Delete the people with all that is theirs, and make them anew.")

  @Flag(help: "Do it: what was done as one of them is lost.")
  var yes = false

  @OptionGroup var options: OperatorOptions

  func run() async throws {
    guard yes else { throw Complaint(usage: "what was done as one of the people is lost: say --yes") }
    try await DemoCommand.with(options.connection.place) { [options] demo, workspace in
      let lock = try await DemoLock(workspace)
      defer { withExtendedLifetime(lock) {} }
      try await options.with { desk in
        for name in DemoPeople.names {
          let found = try await desk.call("FindUsers", ["query": .string(name)])["users"]?.array ?? []
          guard let id = found.first(where: { $0["username"]?.string == name })?["userId"] else { continue }
          _ = try await desk.call("DeleteUser", ["userId": id])
        }
      }
      _ = try await demo.seed()
    }
    DemoCommand.show(options.output.output)
  }
}

/// `tandem demo run`.
struct RunDemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Make the people, and let three of them walk until Ctrl-C.",
    discussion: """
      They replay recordings, there and back. Those that come with the program are of our own making: ways through London, with \
      the waits, the uneven pace and the error of a phone. --track names real ones in their place.
      """)

  @OptionGroup var place: HomeOption

  @Option(
    name: .customLong("track"),
    help: ArgumentHelp(
      "A recording in a GPX file, for the next of \(DemoPeople.names.prefix(DemoWalk.maxWalkers).joined(separator: ", ")).",
      valueName: "file"), completion: .file(extensions: ["gpx"]))
  var tracks: [String] = []

  func validate() throws {
    guard tracks.count <= DemoWalk.maxWalkers else {
      throw ValidationError("--track is given \(DemoWalk.maxWalkers) times at most")
    }
  }

  func run() async throws {
    let plans = try await DemoWalk.plans(of: tracks)
    try await DemoCommand.with(place) { demo, workspace in
      let people = try await DemoCommand.seed(demo, workspace)
      guard let group = try await demo.groupID(people) else { throw Complaint("the people have no group") }
      let walkers = DemoPeople.names.prefix(plans.count).joined(separator: ", ")
      write(
        "\(DemoPeople.names.joined(separator: ", ")) are there; on their way: \(walkers)\n", to: STDOUT_FILENO)
      try await DemoWalk(demo: demo, group: group, plans: plans).run()
    }
  }
}

/// Keeps the demonstration from being made twice at once.
final class DemoLock {
  private let descriptor: CInt

  /// How long the process that has it may take.
  private static let patience = Duration.seconds(180)

  /// Waits for it.
  init(_ workspace: Workspace) async throws {
    let descriptor = open(workspace.demoLock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Complaint("\(workspace.demoLock) cannot be opened: \(systemMessage())") }
    self.descriptor = descriptor
    let deadline = ContinuousClock.now + Self.patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard ContinuousClock.now < deadline else {
        throw Complaint("the demonstration is being made by another process")
      }
      // The kernel could wait, but would keep a thread of the pool for it.
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  deinit { close(descriptor) }
}
