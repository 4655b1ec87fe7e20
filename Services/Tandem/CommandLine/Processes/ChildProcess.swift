import Glibc

/// What is to run, and how it ends.
struct ChildPlan: Sendable {
  /// Shown before each line that it writes.
  var name: String
  /// The program's path.
  var program: String
  var arguments: [String] = []
  /// Set or replaced in our own environment, or with `nil` taken out of it.
  var environment: [String: String?] = [:]
  /// What becomes of its lines.
  var lines = Lines.logged
  /// Whose rights it runs with; `nil` for ours.
  var user: UserAccount?
  /// Asks it to end by itself.
  var stopSignal: CInt = SIGTERM
  /// Ends it at once.
  var killSignal: CInt = SIGKILL
  /// Sent by the kernel when we are gone.
  var orphanSignal: CInt = SIGKILL

  /// Where what it writes is shown.
  enum Lines: Sendable {
    /// Among the programs' logs.
    case logged
    /// As it is, on standard output.
    case plain
    /// Nowhere.
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

/// A process that was started here: it leads a group of its own, and does not outlive the thread that started it.
final class ChildProcess {
  let plan: ChildPlan
  let pid: pid_t
  /// What it writes, to either stream; reading does not block.
  let output: CInt
  private(set) var end: ProcessEnd?

  /// Starts the plan.
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

  /// Sends the signal to the process and what it started; after its end nothing is sent.
  func signal(_ number: CInt, toGroup: Bool = false) {
    guard end == nil else { return }
    kill(toGroup ? -pid : pid, number)
  }

  /// Takes note of the end, if it has come.
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

/// Calls `body` with the texts as C wants them, a null pointer behind the last.
func withCStrings<R>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
  let pointers = texts.map { strdup($0) }
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers + [nil])
}
