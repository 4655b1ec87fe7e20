import Glibc

/// A program to start, and the signals that end it.
struct ChildPlan: Sendable {
  /// The prefix of each line of its output.
  var name: String
  /// The program's path.
  var program: String
  var arguments: [String] = []
  /// Variables that are set or replaced in our own environment, or, with `nil`, removed from it.
  var environment: [String: String?] = [:]
  /// Where its output goes.
  var lines = Lines.logged
  /// The user that it runs as; `nil` for ours.
  var user: UserAccount?
  /// Requests a graceful exit.
  var stopSignal: CInt = SIGTERM
  /// Ends it immediately.
  var killSignal: CInt = SIGKILL
  /// Sent by the kernel when our process has ended.
  var orphanSignal: CInt = SIGKILL

  /// Where the output of a program goes.
  enum Lines: Sendable {
    /// To the log, with a prefix.
    case logged
    /// Unchanged, to standard output.
    case plain
    /// Discarded.
    case dropped
  }
}

/// How a process ended.
enum ProcessEnd: Sendable, Equatable, CustomStringConvertible {
  case exited(Int32)
  case killed(by: Int32)

  var description: String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was killed by signal \(signal)"
    }
  }
}

/// A child process: it leads a process group of its own, and does not outlive the thread that started it.
final class ChildProcess {
  let plan: ChildPlan
  let pid: pid_t
  /// Its standard output and error; reading does not block.
  let output: CInt
  private(set) var end: ProcessEnd?

  /// - Throws: if the program cannot be started.
  init(_ plan: ChildPlan) throws(Complaint) {
    self.plan = plan
    let pipe = try Pipe()
    defer { close(pipe.writeEnd) }
    _ = fcntl(pipe.readEnd, F_SETFL, O_NONBLOCK)
    do {
      pid = try Self.spawn(plan, output: pipe.writeEnd)
    } catch {
      close(pipe.readEnd)
      throw error
    }
    output = pipe.readEnd
  }

  deinit { close(output) }

  /// Sends the signal to the process, or to its group; has no effect after its end.
  func signal(_ number: CInt, toGroup: Bool = false) {
    guard end == nil else { return }
    kill(toGroup ? -pid : pid, number)
  }

  /// Collects the exit status, if the process has ended.
  @discardableResult
  func reap(waiting: Bool = false) -> ProcessEnd? {
    guard end == nil else { return end }
    var status: CInt = 0
    var result = waitpid(pid, &status, waiting ? 0 : WNOHANG)
    while result < 0 && errno == EINTR { result = waitpid(pid, &status, waiting ? 0 : WNOHANG) }
    guard result != 0 else { return nil }
    let signal = status & 0x7F
    end = result < 0 ? .exited(0) : signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: signal)
    return end
  }

  private static func spawn(_ plan: ChildPlan, output: CInt) throws(Complaint) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var every = sigset_t()
    sigfillset(&every)
    posix_spawnattr_setsigdefault(&attributes, &every)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var pid: pid_t = 0
    let result = withCStrings(ChildStart(plan).arguments) { arguments in
      withCStrings(environment(plan.environment)) { environment in
        posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, arguments, environment)
      }
    }
    guard result == 0 else { throw Complaint("\(plan.program) cannot be started: \(systemMessage(result))") }
    return pid
  }

  private static func environment(_ changes: [String: String?]) -> [String] {
    var variables: [String] = []
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if !changes.keys.contains(String(text.prefix { $0 != "=" })) { variables.append(text) }
      next += 1
    }
    return variables + changes.compactMap { name, value in value.map { "\(name)=\($0)" } }
  }
}

/// Calls `body` with the texts as a null-terminated array of C strings.
func withCStrings<R>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
  let pointers = texts.map { strdup($0) }
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers + [nil])
}
