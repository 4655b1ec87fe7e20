import ArgumentParser
import Glibc
import Postgres
import Reflection

/// The options of commands that start a suite.
struct TestPeopleOptions: ParsableArguments {
  /// The same variable names the server of the project's own tests.
  static let databaseVariable = "TANDEM_TEST_DATABASE_URL"

  @Option(help: ArgumentHelp("Users to make, verified and with profiles, separated by commas.", valueName: "names"))
  var users = ""

  /// The names of the users.
  var names: [String] { users.split(separator: ",").map(String.init) }

  func validate() throws {
    for name in names where !(3...30).contains(name.count) || !name.allSatisfy(Self.isAllowed) {
      throw ValidationError("--users: \(name) is no username: 3 to 30 of a-z, 0-9, _ and .")
    }
    guard Set(names).count == names.count else { throw ValidationError("--users: a name is there twice") }
  }

  private static func isAllowed(_ character: Character) -> Bool {
    character.isASCII && (character.isLowercase || character.isNumber || "_.".contains(character))
  }
}

/// How a suite is started.
struct TestStartOptions: ParsableArguments {
  @OptionGroup var people: TestPeopleOptions

  @Option(
    help: ArgumentHelp(
      "A server to use in place of one of the suite's own, with a superuser (TANDEM_TEST_DATABASE_URL).",
      valueName: "url"))
  var databaseURL: String?

  @Option(help: ArgumentHelp("After how many seconds the suite ends by itself.", valueName: "seconds"))
  var lifetime = 4 * 3_600

  func validate() throws {
    guard (1...7 * 86_400).contains(lifetime) else {
      throw ValidationError("--lifetime is a number of seconds from 1 to \(7 * 86_400)")
    }
  }

  /// Starts a suite and waits until it is ready.
  ///
  /// - Parameter isAttached: whether it ends with this process.
  func launch(isAttached: Bool) async throws -> LaunchedSuite {
    if let databaseURL { setenv(TestPeopleOptions.databaseVariable, databaseURL, 1) }
    let folder = TestFolder.new()
    let (output, input) = (try PrivatePipe(), try PrivatePipe())
    let words =
      ["test", "serve", "--home", folder.home, "--lifetime", "\(lifetime)"] + (isAttached ? ["--attached"] : [])
      + (people.users.isEmpty ? [] : ["--users", people.users])
    let pid = try DetachedProcess.start(
      words, input: input.readEnd, output: output.writeEnd, errors: STDERR_FILENO)
    for descriptor in [output.writeEnd, input.readEnd] { close(descriptor) }
    let reading = output.readEnd
    let text = try await BackgroundThread.run { Files.text("/proc/self/fd/\(reading)") ?? "" }
    close(reading)
    guard !text.isEmpty else { throw Complaint("the suite did not start") }
    return LaunchedSuite(document: try TestDocument(text), pid: pid, input: input.writeEnd)
  }
}

/// A suite that this process has started.
struct LaunchedSuite: Sendable {
  let document: TestDocument
  let pid: Int32
  /// With this closed, an attached suite ends, and any suite that no one was told of.
  let input: CInt

  /// Says that its user knows of it: from now on the suite goes on without this process, unless it is attached.
  func confirm() { _ = Glibc.write(input, "\n", 1) }
}

/// How the suite is told to who started it.
struct TestOutputOptions: ParsableArguments {
  @Flag(help: "Tell the suite as JSON, not as variables of a shell.")
  var json = false

  func show(_ document: TestDocument) {
    write(json ? document.json.text() + "\n" : document.shellText, to: STDOUT_FILENO)
  }
}

/// `tandem test start`.
struct TestStartCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Start a suite for tests, and tell where everything is once it is ready.",
    usage: """
      eval "$(tandem test start --users ada,hedy)"
      tandem test start --users ada --json
      tandem test start --database-url postgresql://postgres:secret@localhost/postgres
      """,
    discussion: """
      Sets TANDEM_HOME, TANDEM_CA and, of the suite, TANDEM_TEST_GATEWAY, …_GATEWAY_CERT, …_GATEWAY_KEY, …_MAIL, …_DATABASE \
      and the address of each service, such as TANDEM_TEST_IDENTITY; of each user TANDEM_TEST_ADA_ID, …_EMAIL, …_PASSWORD, \
      …_TOKEN and …_REFRESH_TOKEN. --json has the same and more. `tandem test stop` ends the suite.
      """)

  @OptionGroup var start: TestStartOptions
  @OptionGroup var output: TestOutputOptions

  @Flag(help: "Stay, and end the suite with standard input: for programs that start one.")
  var attached = false

  func run() async throws {
    let suite = try await start.launch(isAttached: attached)
    output.show(suite.document)
    suite.confirm()
    guard attached else { return }
    // Who waits for the end of what is told must not wait for the end of the suite.
    close(STDOUT_FILENO)
    try await BackgroundThread.run { Self.waitForEndOfInput() }
    close(suite.input)
    try await TestEnd(of: suite.document).wait()
  }

  private static func waitForEndOfInput() {
    var byte: UInt8 = 0
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count == 0 || count < 0 && errno != EINTR { return }
    }
  }
}

/// `tandem test stop`.
struct TestStopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop", abstract: "End a suite for tests, of which nothing is left.",
    usage: "tandem test stop")

  @OptionGroup var place: HomeOption

  func run() async throws {
    let folder = try TestFolder.running(place)
    try await TestEnd(of: try folder.read()).stop()
  }
}

/// The end of a suite.
struct TestEnd: Sendable {
  private static let patience = Duration.seconds(30)

  private let document: TestDocument

  init(of document: TestDocument) { self.document = document }

  /// Asks the suite to end, and waits until that which removes its remnants has ended too.
  func stop() async throws {
    kill(document.integer("pid"), SIGTERM)
    try await wait()
  }

  func wait() async throws {
    let deadline = ContinuousClock.now + Self.patience
    while TestProcess.isRunning(document.integer("pid")) || TestProcess.isRunning(document.integer("janitor")) {
      guard ContinuousClock.now < deadline else {
        throw Complaint("the suite of \(document.text("home")) does not end; process \(document.integer("pid"))")
      }
      // It is no child of this process, whose end would be told.
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
