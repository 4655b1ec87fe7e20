import NIOCore
import Testing

@testable import TTRPCFrames
@testable import TTRPCServer

@Suite("the life of a server's connection")
struct ConnectionLifeTests {
  /// Everything that can happen to a connection.
  enum Event: CaseIterable {
    case active, handshake, drain, caughtUp, elapsed, elapsedTooSoon, leave, disconnected
  }

  private typealias State = ConnectionLife.State

  private static let now = NIODeadline.uptimeNanoseconds(1_000_000_000)
  private static let notice = TimeAmount.seconds(1)
  private static let calling = TimeAmount.seconds(5)
  private static var soon: NIODeadline { now + notice }

  private static func drain(
    _ stage: ConnectionLife.Stage, _ notice: ConnectionLife.Notice, end: NIODeadline = now + calling
  ) -> State {
    .draining(
      ConnectionLife.Drain(stage: stage, notice: notice, noticeTime: Self.notice, callingTime: calling, end: end))
  }

  private static let waiting = drain(.connecting, .notBegun, end: .distantFuture)
  private static let unproven = drain(.handshake, .running(until: soon))
  private static let noticed = drain(.open, .running(until: soon))
  private static let over = drain(.open, .over)

  /// A connection in each of its states, by what happened to it.
  private static func life(in state: State) -> ConnectionLife {
    var life = ConnectionLife(hasHandshake: true)
    let histories: [(State, [Event])] = [
      (.living(.connecting), []), (.living(.handshake), [.active]), (.living(.open), [.active, .handshake]),
      (waiting, [.drain]), (unproven, [.active, .drain]), (noticed, [.active, .handshake, .drain]),
      (over, [.active, .handshake, .drain, .elapsed]), (.closing, [.active, .handshake, .leave]),
      (.closed, [.disconnected]),
    ]
    for event in histories.first(where: { $0.0 == state })?.1 ?? [] { _ = happen(event, to: &life) }
    return life
  }

  private static func happen(_ event: Event, to life: inout ConnectionLife) -> [ConnectionLife.Action] {
    switch event {
    case .active: return life.becameActive(at: now)
    case .handshake: return life.handshakeCompleted(at: now)
    case .drain: return life.drain(noticeTime: notice, callingTime: calling, at: now)
    case .caughtUp: return life.caughtUp(at: now)
    case .elapsed: life.noticeElapsed(soon)
    case .elapsedTooSoon: life.noticeElapsed(now)
    case .leave: _ = life.leave()
    case .disconnected: life.disconnected()
    }
    return []
  }

  /// The states that an event leads to, in the order of `Event.allCases`; `nil` where nothing changes.
  private static let table: [(State, [State?])] = [
    (.living(.connecting), [.living(.handshake), .living(.open), waiting, nil, nil, nil, .closing, .closed]),
    (.living(.handshake), [nil, .living(.open), unproven, nil, nil, nil, .closing, .closed]),
    (.living(.open), [nil, nil, noticed, nil, nil, nil, .closing, .closed]),
    (waiting, [unproven, noticed, nil, nil, nil, nil, .closing, .closed]),
    (unproven, [nil, noticed, nil, nil, drain(.handshake, .over), nil, .closing, .closed]),
    (noticed, [nil, nil, nil, nil, over, nil, .closing, .closed]),
    (over, [nil, nil, nil, noticed, nil, nil, .closing, .closed]),
    (.closing, [nil, nil, nil, nil, nil, nil, nil, .closed]),
    (.closed, [nil, nil, nil, nil, nil, nil, nil, nil]),
  ]

  @Test("every event in every state")
  func transitions() {
    for (state, results) in Self.table {
      #expect(Self.life(in: state).state == state)
      for (event, expected) in zip(Event.allCases, results) {
        var life = Self.life(in: state)
        _ = Self.happen(event, to: &life)
        #expect(life.state == expected ?? state, "\(event) in \(state)")
      }
    }
  }

  @Test("the client is told once it has proved itself, and its time begins with that")
  func notices() {
    let wait = ConnectionLife.Action.wait(until: Self.soon)
    var life = ConnectionLife(hasHandshake: true)
    #expect(Self.happen(.drain, to: &life) == [])
    #expect(Self.happen(.active, to: &life) == [wait])
    #expect(Self.happen(.handshake, to: &life) == [.sendNotice, wait])
    #expect(Self.happen(.caughtUp, to: &life) == [wait])
    #expect(Self.happen(.drain, to: &life) == [])
    var plain = ConnectionLife(hasHandshake: false)
    #expect(plain.isSecured)
    #expect(Self.happen(.active, to: &plain) == [])
    #expect(Self.happen(.drain, to: &plain) == [.sendNotice, wait])
  }

  @Test("a client that catches up again and again gets no time beyond that of all its calls")
  func caughtUp() {
    var life = Self.life(in: Self.noticed)
    let late = Self.now + .milliseconds(4_500)
    #expect(life.caughtUp(at: late) == [.wait(until: Self.now + Self.calling)])
  }

  @Test("what a connection is in each state")
  func properties() {
    let facts = Self.table.map { state, _ -> [Bool] in
      let life = Self.life(in: state)
      return [life.isSecured, life.refusesCalls, life.isDraining, life.isLeaving]
    }
    #expect(
      facts == [
        [false, false, false, false], [false, false, false, false], [true, false, false, false],
        [false, true, true, false], [false, true, true, false], [true, true, true, false], [true, true, true, false],
        [true, true, false, true], [true, true, false, true],
      ])
  }

  @Test(
    "a connection is done when its calls are, and nothing waits to be read but what a client goes on sending beyond its time",
    arguments: [
      (calls: false, input: false, backedUp: false, seconds: Int64(2), done: true),
      (calls: true, input: false, backedUp: false, seconds: 9, done: false),
      (calls: false, input: true, backedUp: false, seconds: 2, done: false),
      (calls: false, input: true, backedUp: false, seconds: 6, done: true),
      (calls: false, input: true, backedUp: true, seconds: 6, done: false),
    ])
  func done(calls: Bool, input: Bool, backedUp: Bool, seconds: Int64, done: Bool) {
    let now = Self.now + .seconds(seconds)
    let life = Self.life(in: Self.over)
    #expect(life.isDone(hasCalls: calls, hasInput: input, isBackedUp: backedUp, at: now) == done)
    #expect(life.isCallingOver(at: now) == (seconds >= 5))
    let early = Self.life(in: Self.noticed)
    #expect(!early.isDone(hasCalls: false, hasInput: false, isBackedUp: false, at: now))
  }
}
