import Glibc
import Synchronization
import TestSupport
import Testing

@testable import tandem

/// A folder and ports for a suite of its own, and what its user does with it.
struct SuitePlace: Sendable {
  /// Ends a hang; a start that fails ends by itself.
  static let timeout = Duration.seconds(300)
  private static let upLine = "Ctrl-C stops everything."

  let scratch: Scratch
  let ports: Ports

  init() throws {
    scratch = try Scratch()
    ports = Ports(offset: try #require(Self.freeOffset()))
  }

  /// Offsets above the ports that other tests of this process take (`FreePort`), begun at another place in each process.
  private static let offsets = stride(from: 15_000, through: 24_400, by: 200).map { $0 }
  private static let drawn = Atomic<Int>(Int(getpid()))

  /// An offset that no other suite of this process has, whether or not that runs already.
  private static func freeOffset() -> Int? {
    for _ in offsets {
      let offset = offsets[drawn.add(1, ordering: .relaxed).oldValue % offsets.count]
      if Ports(offset: offset).all(withDatabase: true).allSatisfy({ PortCheck.isFree($0.port) }) { return offset }
    }
    return nil
  }

  /// The token of a link that was mailed to an address; `nil` if there is none yet.
  func mailedToken(for email: String) -> String? {
    for name in Files.names(in: "\(home)/mail") {
      guard let text = Files.text("\(home)/mail/\(name)"), text.contains("To: <\(email)>"),
        let start = text.firstRange(of: "token=")?.upperBound
      else { continue }
      return String(text[start...].prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) })
    }
    return nil
  }

  var home: String { "\(scratch.path)/.tandem" }

  func up(_ arguments: String...) throws -> Command {
    try SuiteTurns.take {
      let suite = try Command.tandem(["up", "--home", home, "--port-offset", "\(ports.offset)"] + arguments)
      let isUp = suite.waits(for: Self.upLine, atMost: Self.timeout)
      if !isUp { suite.signal(SIGKILL) }
      try #require(isUp, "\(suite.errorsSoFar)")
      return suite
    }
  }

  func run(_ arguments: [String], input: String? = nil) throws -> (output: String, errors: String, status: Int32) {
    try Command.tandem(arguments + ["--home", home], input: input).finish()
  }

  func stop(_ suite: Command) {
    suite.signal(SIGINT)
    #expect(suite.finish().status == 0)
    #expect(processes.isEmpty)
  }

  /// The processes that belong to this suite, by their ports' holders and the folder in their command lines.
  var processes: [String] {
    let listening = ports.all(withDatabase: true).filter { !PortCheck.isFree($0.port) }.map {
      "\($0.owner): \($0.port)"
    }
    let commands = Files.names(in: "/proc").filter { Int($0) != nil }.compactMap { Files.text("/proc/\($0)/cmdline") }
    return listening + commands.filter { $0.contains("\(home)/postgres/data") }
  }

  /// Polls until the condition holds; for changes without a notification.
  func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + Self.timeout
    while ContinuousClock.now < deadline {
      if try condition() { return true }
      // There is no notification of the change, so it polls; each check starts a process or reads all of /proc, so not too often.
      usleep(10_000)
    }
    return false
  }
}
