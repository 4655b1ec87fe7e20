import CSpawn
import Glibc

/// Programs that get bytes and return bytes, and that cannot harm the process that starts them.
package enum ChildProcess {
  /// The path of a program in the folder of the running one.
  package static func beside(_ name: String) -> String {
    guard let path = realpath("/proc/self/exe", nil) else { return name }
    defer { free(path) }
    return String(cString: path).split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/" + name
  }

  /// Starts a program whose input and output are one socket; the error number is 0 when it runs.
  package static func spawn(_ program: String, _ arguments: [String], talkingTo socket: Int32) -> (pid_t, Int32) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO)
    // The error output is controlled by the file: it must not get into a log.
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    _ = tandem_close_from(&actions, STDERR_FILENO + 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    // One memory arena: the program does its work on one thread.
    var environment = [strdup("MALLOC_ARENA_MAX=1"), nil]
    defer { environment.forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, &attributes, &words, &environment)
    return (process, code)
  }
}
