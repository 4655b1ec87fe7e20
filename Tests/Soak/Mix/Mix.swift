import ArgumentParser
import EchoV1
import Glibc
import LoopExecutor
import Synchronization
import TTRPC
import TTRPCClient
import UnixSignals

/// Calls `echo.v1.Echo` in every way that a client can, valid and invalid, until it is stopped.
@main
struct Mix: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak-mix",
    abstract: "Calls echo.v1.Echo in every way that a client can, until SIGTERM.",
    discussion: """
      SIGUSR1 lets what runs come to its end and starts nothing new; "quiet" on stdout says when that is so.
      SIGUSR2 goes on. An answer that is wrong ends the program with status 1.
      """)

  @Option(help: "The server's port on 127.0.0.1.")
  var port: Int

  @Option(help: "Callers that run at once.")
  var callers = 32

  @Option(help: "What the order of the calls is drawn from.")
  var seed: UInt64 = 1

  @Flag(help: "The server may go away and come back: UNAVAILABLE is no error.")
  var tolerant = false

  func run() async throws {
    let group = LoopGroup(threads: 1)
    let client = RPCClient(host: "127.0.0.1", port: port, security: .plaintext, on: group.executors[0])
    let pause = Pause(callers: callers)
    let isTolerant = tolerant
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for caller in 0..<callers {
        var calls = Calls(client, caller: caller, seed: seed)
        tasks.addTask(executorPreference: group.executors[0]) {
          while !Task.isCancelled {
            await pause.pass()
            do { try await calls.next() } catch let status as Status where isTolerant && status.code == .unavailable {
              // The server was killed and takes time to restart: without a pause the callers would use its processor for futile attempts.
              try await Task.sleep(for: .milliseconds(50))
            }
          }
        }
      }
      tasks.addTask { try await Self.obey(pause) }
      // The first to end is the one that failed, or the one that was stopped.
      try await tasks.next()
      tasks.cancelAll()
    }
    await client.close()
  }

  private static func obey(_ pause: Pause) async throws {
    for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigusr1, .sigusr2) {
      switch signal {
      case .sigusr1:
        await pause.begin()
        print("quiet")
        fflush(nil)
      case .sigusr2: pause.end()
      default: return
      }
    }
  }
}

/// Holds callers back between two calls.
final class Pause: Sendable {
  private struct State {
    var isOn = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var quiet: CheckedContinuation<Void, Never>?
  }

  private let callers: Int
  private let state = Mutex(State())

  init(callers: Int) {
    self.callers = callers
  }

  /// Returns once every caller is held back.
  func begin() async {
    await withCheckedContinuation { continuation in
      state.withLock {
        $0.isOn = true
        $0.quiet = continuation
      }
    }
  }

  func end() {
    let waiting = state.withLock { state in
      state.isOn = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for caller in waiting { caller.resume() }
  }

  /// Returns at once, or when the pause ends.
  func pass() async {
    guard state.withLock({ $0.isOn }) else { return }
    await withCheckedContinuation { continuation in
      let quiet = state.withLock { state -> CheckedContinuation<Void, Never>? in
        state.waiting.append(continuation)
        guard state.waiting.count == callers else { return nil }
        defer { state.quiet = nil }
        return state.quiet
      }
      quiet?.resume()
    }
  }
}
