import NIOCore
import NIOEmbedded
import Testing

@testable import TTRPCConnection

@Suite("The timer of deadlines")
struct DeadlineTimerTests {
  /// Calls with their deadlines, in microseconds, as a connection has them.
  private final class Calls {
    let loop = EmbeddedEventLoop()
    private var timer: DeadlineTimer
    private var deadlines: [NIODeadline]
    /// When calls were looked at, and how many were overdue by then.
    private(set) var looks: [(NIODeadline, met: Int)] = []

    init(_ deadlines: [Int64]) {
      timer = DeadlineTimer(loop: loop)
      self.deadlines = deadlines.map { .uptimeNanoseconds(0) + .microseconds($0) }
    }

    // What an embedded loop has scheduled holds it.
    deinit { timer.cancel() }

    func add(_ deadline: NIODeadline) {
      deadlines.append(deadline)
      include(deadline)
    }

    func include(_ deadline: NIODeadline) {
      // Weakly: the loop, which the calls hold, would hold them for a deadline that is never met.
      let look = NIOLoopBound<() -> Void>({ [weak self] in self?.look() }, eventLoop: loop)
      timer.include(deadline) { look.value() }
    }

    private func look() {
      let now = loop.now
      timer.fired(lookingAt: deadlines.count, now)
      looks.append((now, deadlines.count { $0 <= now }))
      deadlines.removeAll { $0 <= now }
      if let next = deadlines.min() { include(next) }
    }
  }

  @Test("each deadline is met when it is due, where there are few")
  func few() {
    let calls = Calls([1_000, 2_000, 5_000])
    calls.include(.uptimeNanoseconds(5_000_000))
    calls.include(.uptimeNanoseconds(1_000_000))
    calls.loop.advanceTime(by: .milliseconds(10))
    #expect(calls.looks.map(\.0.uptimeNanoseconds) == [1_000_000, 2_000_000, 5_000_000])
    #expect(calls.looks.map(\.met) == [1, 1, 1])
  }

  @Test(
    "deadlines that come one right after the other are met together, so that looks do not grow with the square of the calls"
  )
  func many() {
    let calls = Calls((1...4_000).map { $0 })
    calls.include(.uptimeNanoseconds(1_000))
    calls.loop.advanceTime(by: .milliseconds(20))
    #expect(calls.looks.map(\.met).reduce(0, +) == 4_000)
    #expect(calls.looks.count < 10)
  }

  @Test("a new call, however soon its deadline, does not end the rest after a look; its deadline is met right after it")
  func newcomer() {
    let calls = Calls([1] + [Int64](repeating: 1_000_000, count: 2_000))
    calls.include(.uptimeNanoseconds(1_000))
    calls.loop.advanceTime(by: .microseconds(100))
    #expect(calls.looks.count == 1)
    for microseconds: Int64 in 101..<200 { calls.add(.uptimeNanoseconds(0) + .microseconds(microseconds)) }
    calls.loop.advanceTime(by: .milliseconds(5))
    #expect(calls.looks.map(\.met) == [1, 99])
    #expect(calls.looks.last?.0 == .uptimeNanoseconds(0) + .microseconds(2_002))
  }
}
