import NIOCore
import Testing

@testable import TTRPCServer

@Suite("how far a server's connection has got with its reads")
struct ReadPumpTests {
  /// Everything that can happen to what was read.
  enum Event: CaseIterable {
    case begin, failed, finish, holdForTurn, holdForClient, take
  }

  private typealias State = ReadPump.State

  private static let rest = ByteBuffer(string: "rest")
  private static let more = ByteBuffer(string: "restrest")

  private static func happen(_ event: Event, to pump: inout ReadPump) -> ByteBuffer? {
    switch event {
    case .begin: pump.begin()
    case .failed: pump.failed()
    case .finish: pump.finish()
    case .holdForTurn: pump.hold(rest, for: .turn)
    case .holdForClient: pump.hold(rest, for: .client)
    case .take: return pump.take()
    }
    return nil
  }

  private static let handling = State.handling(hasFailed: false)
  private static let failing = State.handling(hasFailed: true)
  private static let inLine = State.waiting(rest, for: .turn)
  private static let unread = State.waiting(rest, for: .client)

  /// The states that an event leads to, in the order of `Event.allCases`; `nil` where nothing changes.
  private static let table: [(state: State, history: [Event], next: [State?])] = [
    (.idle, [], [handling, nil, nil, inLine, unread, nil]),
    (handling, [.begin], [nil, failing, .idle, inLine, unread, nil]),
    (failing, [.begin, .failed], [handling, nil, .idle, inLine, unread, nil]),
    (inLine, [.holdForTurn], [handling, nil, .idle, .waiting(more, for: .turn), .waiting(more, for: .turn), .idle]),
    (
      unread, [.holdForClient],
      [handling, nil, .idle, .waiting(more, for: .client), .waiting(more, for: .client), .idle]
    ),
  ]

  private static func pump(after history: [Event]) -> ReadPump {
    var pump = ReadPump()
    for event in history { _ = happen(event, to: &pump) }
    return pump
  }

  @Test("every event in every state")
  func transitions() {
    for (state, history, results) in Self.table {
      #expect(Self.pump(after: history).state == state)
      for (event, next) in zip(Event.allCases, results) {
        var pump = Self.pump(after: history)
        let taken = Self.happen(event, to: &pump)
        #expect(pump.state == next ?? state, "\(event) in \(state)")
        #expect((taken != nil) == (event == .take && pump.state != state), "\(event) in \(state)")
      }
    }
  }

  @Test("the channel reads while nothing waits and the client reads; else it is remembered until both are so")
  func reading() {
    for (_, history, _) in Self.table {
      for isWritable in [true, false] {
        var pump = Self.pump(after: history)
        let isWaiting = pump.isWaiting
        let may = pump.mayRead(isWritable: isWritable)
        #expect(may == (isWritable && !isWaiting))
        #expect(pump.wantsRead == !may)
        #expect(pump.hasInput == (!may || isWaiting))
      }
    }
    var pump = ReadPump()
    let unasked = pump.mayReadOn(isWritable: true)
    _ = pump.mayRead(isWritable: false)
    let unwritable = pump.mayReadOn(isWritable: false)
    pump.begin()
    let handling = pump.mayReadOn(isWritable: true)
    pump.finish()
    let idle = pump.mayReadOn(isWritable: true)
    #expect([unasked, unwritable, handling, idle] == [false, false, false, true])
    #expect(!pump.wantsRead)
  }

  @Test("what it is in each state")
  func properties() {
    let facts = Self.table.map { row -> [Bool] in
      let pump = Self.pump(after: row.history)
      return [pump.isHandling, pump.hasFailed, pump.isWaiting, pump.isWaitingForTurn]
    }
    #expect(
      facts == [
        [false, false, false, false], [true, false, false, false], [true, true, false, false],
        [false, false, true, true], [false, false, true, false],
      ])
  }
}
