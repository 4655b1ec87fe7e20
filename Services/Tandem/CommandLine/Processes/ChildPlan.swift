import Glibc
import Subprocess

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
  var orphanSignal = OrphanSignal.kill

  /// Where the output of a program goes.
  enum Lines: Sendable {
    /// To the log, with a prefix.
    case logged
    /// Unchanged, to standard output.
    case plain
    /// Discarded.
    case dropped
  }

  /// A signal by its name for setpriv(1).
  enum OrphanSignal: String, Sendable {
    case interrupt = "INT"
    case kill = "KILL"
  }

  /// How the program is run: with a process group of its own, and not for longer than our process.
  ///
  /// It is started by setpriv(1) of util-linux, because Subprocess sets no signal for the end of the parent (PR_SET_PDEATHSIG of prctl(2))
  /// and runs nothing of ours between fork and exec. The kernel sends that signal at the end of the thread that started the child:
  /// Subprocess has one thread for this, which lasts until `exit`. setpriv drops the privileges too, as a change of user clears the signal.
  var configuration: Configuration {
    var options = PlatformOptions()
    options.processGroupID = 0
    return Configuration(
      executable: .path("/usr/bin/setpriv"),
      arguments: Arguments(
        ["--pdeathsig", orphanSignal.rawValue] + (user?.privileges ?? [])
          + ["--", "/bin/sh", "-c", Self.startUnlessOrphaned, "\(getpid())", program] + arguments),
      environment: .inherit.updating(
        Dictionary(uniqueKeysWithValues: environment.map { (.init(stringLiteral: $0.key), $0.value) })),
      platformOptions: options)
  }

  /// Becomes the program of its arguments, unless the parent, the process of `$0`, ended before the signal was set.
  private static let startUnlessOrphaned = #"[ "$PPID" = "$0" ] && exec "$@""#
}

/// How a process ended.
enum ProcessEnd: Sendable, Equatable, CustomStringConvertible {
  case exited(Int32)
  case killed(by: Int32)
  /// It could not be started, or its output not be read.
  case failed(String)

  init(_ status: TerminationStatus) {
    switch status {
    case .exited(let code): self = .exited(code)
    case .signaled(let signal): self = .killed(by: signal)
    }
  }

  var description: String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was killed by signal \(signal)"
    case .failed(let reason): "cannot be run: \(reason)"
    }
  }
}

/// A user of the system.
struct UserAccount: Sendable, Equatable {
  let name: String
  let uid: uid_t
  let gid: gid_t

  /// `nil` if there is no user of that name.
  init?(named name: String) {
    guard let entry = getpwnam(name) else { return nil }
    self.name = name
    uid = entry.pointee.pw_uid
    gid = entry.pointee.pw_gid
  }

  /// setpriv's options that give a process the user's rights and no others.
  fileprivate var privileges: [String] { ["--reuid", "\(uid)", "--regid", "\(gid)", "--init-groups"] }
}
