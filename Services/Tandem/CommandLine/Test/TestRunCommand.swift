import ArgumentParser
import Glibc
import Postgres

/// `tandem test run`.
struct TestRunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a command with a suite for tests, and end with its status.",
    usage: """
      tandem test run -- pytest tests
      tandem test run --users ada,hedy -- go test ./...
      tandem test run -- bash
      """,
    discussion: """
      The command has the variables that `tandem test start` sets. The suite ends with it, or with this process. A command \
      that a signal ended gives 128 + its number, as in a shell.
      """)

  @OptionGroup var start: TestStartOptions

  @Argument(parsing: .postTerminator, help: ArgumentHelp("The command and its arguments.", valueName: "command"))
  var command: [String] = []

  func validate() throws {
    guard !command.isEmpty else {
      throw ValidationError("which command? it stands behind --: tandem test run -- pytest")
    }
  }

  func run() async throws {
    // The command decides what a Ctrl-C means; the suite is in another session.
    signal(SIGINT, SIG_IGN)
    let suite = try await start.launch(isAttached: true)
    suite.confirm()
    for (name, value) in suite.document.variables { setenv(name, value, 1) }
    let command = command
    let status = try await BackgroundThread.run { try Self.run(command) }
    close(suite.input)
    try await TestEnd(of: suite.document).wait()
    throw ExitCode(status)
  }

  /// Runs a command on the calling thread, with which it ends; returns its status as a shell does.
  private static func run(_ command: [String]) throws(Complaint) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGPIPE] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    // The kernel ends it where this process is killed.
    let words = ["/usr/bin/setpriv", "--pdeathsig", "TERM", "--"] + command
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    let refusal = posix_spawn(&pid, words[0], nil, &attributes, &arguments, environ)
    guard refusal == 0 else { throw Complaint("\(words[0]) cannot be started: \(systemMessage(refusal))") }
    var ended: CInt = 0
    while waitpid(pid, &ended, 0) < 0 && errno == EINTR {}
    let number = ended & 0x7F
    return number == 0 ? (ended >> 8) & 0xFF : 128 + number
  }
}
