import CProcess
import Glibc

/// The start of a child process, in a new instance of this program: it requests to be killed with its parent, drops privileges, and
/// executes the target program.
///
/// `posix_spawn` offers neither, and after a fork of a process with threads it is not safe to do it.
struct ChildStart {
  /// The argument that makes this program the start of a child; not for users.
  static let word = "__start-child"

  private let plan: ChildPlan

  init(_ plan: ChildPlan) {
    self.plan = plan
  }

  /// The arguments with which this program starts the plan.
  var arguments: [String] {
    [
      "tandem", Self.word, "\(getpid())", "\(plan.orphanSignal)",
      plan.user.map { "\($0.uid):\($0.gid):\($0.name)" } ?? "-",
      plan.program, plan.program,
    ] + plan.arguments
  }

  /// Executes the plan's program if the arguments are those of a child's start; else returns.
  static func becomeProgramIfAsked(_ arguments: [String]) {
    guard arguments.count >= 7, arguments[1] == word, let parent = pid_t(arguments[2]), let signal = CInt(arguments[3])
    else { return }
    if arguments[4] != "-" { take(user: arguments[4]) }
    // After the change of user, which clears the setting.
    guard tandem_die_with_parent(signal) == 0 else { fail("binding its life to ours failed: \(systemMessage())") }
    // The parent may have ended before the setting took effect.
    guard getppid() == parent else { exit(1) }
    withCStrings(Array(arguments[6...])) { _ = execv(arguments[5], $0) }
    fail("\(arguments[5]) cannot be started: \(systemMessage())")
  }

  private static func take(user: String) {
    let parts = user.split(separator: ":")
    guard parts.count == 3, let uid = uid_t(parts[0]), let gid = gid_t(parts[1]),
      initgroups(String(parts[2]), gid) == 0,
      setgid(gid) == 0, setuid(uid) == 0
    else { fail("it cannot run as \(user): \(systemMessage())") }
  }

  private static func fail(_ reason: String) -> Never {
    tell("tandem: \(reason)")
    exit(127)
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
}
