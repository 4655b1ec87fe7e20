import Glibc

/// Starts this program again, in a session of its own: a terminal's Ctrl-C does not reach it.
enum DetachedProcess {
  /// `POSIX_SPAWN_SETSID` of glibc, which Swift does not import.
  private static let newSession: Int16 = 0x80

  /// - Parameters:
  ///   - input: its standard input; `nil` for none. The same for `output`.
  ///   - errors: its standard error; `nil` for none.
  static func start(_ arguments: [String], input: CInt?, output: CInt?, errors: CInt?) throws(Complaint) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor, mode) in [(0, input, O_RDONLY), (1, output, O_WRONLY), (2, errors, O_WRONLY)] {
      if let descriptor {
        posix_spawn_file_actions_adddup2(&actions, descriptor, CInt(number))
      } else {
        posix_spawn_file_actions_addopen(&actions, CInt(number), "/dev/null", mode, 0)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, newSession)
    let program = "\(Paths.programFolder)/tandem"
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    let status = posix_spawn(&pid, program, &actions, &attributes, &words, environ)
    guard status == 0 else { throw Complaint("\(program) cannot be started: \(systemMessage(status))") }
    return pid
  }
}

/// A pipe that programs which are started do not inherit.
struct PrivatePipe {
  let readEnd: CInt
  let writeEnd: CInt

  init() throws(Complaint) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Complaint("no pipe can be made: \(systemMessage())") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }
}
