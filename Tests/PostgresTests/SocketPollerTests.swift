import Glibc
import LoopExecutor
import Synchronization
import TestSupport
import Testing

@testable import Postgres

@Suite("Readiness of foreign sockets", .timeLimit(.minutes(5)))
struct SocketPollerTests {
  private final class Target: SocketPollerTarget {
    private let told = Atomic(false)
    var wasTold: Bool { told.load(ordering: .acquiring) }
    func ready() { told.store(true, ordering: .releasing) }
  }

  private func socketPair() -> (Int32, Int32) {
    var pair: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
    return (pair[0], pair[1])
  }

  @Test("the end of a watch whose descriptor was closed before leaves alone who has that number now")
  func reusedNumber() async throws {
    let (executor, readiness) = (loops.executors[0], SocketPoller.shared)
    let (first, second) = (socketPair(), socketPair())
    defer { for descriptor in [first.0, first.1, second.0, second.1] { close(descriptor) } }
    let (former, current) = (Target(), Target())
    let formerToken = readiness.add(former, descriptor: first.0, on: executor)
    readiness.arm(formerToken, descriptor: first.0, forWriting: false)
    // Closes the descriptor, as libpq does when a connection fails, and gives its number to another.
    dup2(second.0, first.0)
    let token = readiness.add(current, descriptor: first.0, on: executor)
    readiness.arm(token, descriptor: first.0, forWriting: false)
    readiness.remove(formerToken, descriptor: first.0)
    var byte: UInt8 = 1
    #expect(write(second.1, &byte, 1) == 1)
    #expect(try await eventually { current.wasTold })
    #expect(!former.wasTold)
    readiness.remove(token, descriptor: first.0)
  }
}
