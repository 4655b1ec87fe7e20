import Testing

@testable import TTRPCServer

@Suite("the life of a server's call")
struct CallLifeTests {
  /// Everything that can happen to a call.
  enum Event: CaseIterable {
    case token, begins, waits, returns, ends
  }

  /// What the owner is to do then.
  enum Demand: Equatable {
    case nothing, cancel, release
  }

  private typealias State = CallLife.State

  private static let task = Task<Void, Never> {}
  private static let working = State.ended(isWorking: true)
  private static let over = State.ended(isWorking: false)

  private static func happen(_ event: Event, to life: inout CallLife) -> Demand {
    switch event {
    case .token: life.tokenCame()
    case .begins: life.workBegan()
    case .waits: return life.handlerWaits(in: task) ? .cancel : .nothing
    case .returns: return life.workEnded() ? .release : .nothing
    case .ends: return life.end() ? .release : .nothing
    }
    return .nothing
  }

  /// A call in each of its states, by what happened to it.
  private static let histories: [(state: State, events: [Event])] = [
    (.awaitingToken(field: 3), []), (.running(.none), [.token]), (.running(.begun), [.token, .begins]),
    (.running(.waiting(task)), [.token, .begins, .waits]), (working, [.token, .begins, .ends]), (over, [.ends]),
  ]

  private static func life(after events: [Event]) -> CallLife {
    var life = CallLife(tokenField: 3)
    for event in events { _ = happen(event, to: &life) }
    return life
  }

  /// What an event leads to, in the order of `Event.allCases`; `nil` where nothing changes.
  private static let table: [[(next: State?, demand: Demand)]] = [
    [(.running(.none), .nothing), (.running(.begun), .nothing), (nil, .nothing), (nil, .nothing), (over, .release)],
    [(nil, .nothing), (.running(.begun), .nothing), (nil, .nothing), (nil, .nothing), (over, .release)],
    [
      (nil, .nothing), (nil, .nothing), (.running(.waiting(task)), .nothing), (.running(.none), .nothing),
      (working, .nothing),
    ],
    [(nil, .nothing), (.running(.begun), .nothing), (nil, .nothing), (.running(.none), .nothing), (working, .nothing)],
    [(nil, .nothing), (nil, .nothing), (nil, .cancel), (over, .release), (nil, .nothing)],
    [(nil, .nothing), (nil, .nothing), (nil, .nothing), (nil, .nothing), (nil, .nothing)],
  ]

  @Test("every event in every state")
  func transitions() {
    for ((state, events), results) in zip(Self.histories, Self.table) {
      #expect(Self.life(after: events).state == state)
      for (event, expected) in zip(Event.allCases, results) {
        var life = Self.life(after: events)
        #expect(Self.happen(event, to: &life) == expected.demand, "\(event) in \(state)")
        #expect(life.state == expected.next ?? state, "\(event) in \(state)")
      }
    }
  }

  @Test("what a call took is released once, whether its end or its handler's return comes first")
  func releasedOnce() {
    let rests: [[Event]] = [
      [.ends, .returns], [.returns, .ends], [.waits, .ends, .returns], [.ends, .waits, .returns],
    ]
    for rest in rests {
      var life = Self.life(after: [.token, .begins])
      let released = rest.filter { Self.happen($0, to: &life) == .release }
      #expect(released.count == 1, "\(rest)")
      #expect(life.state == Self.over, "\(rest)")
    }
  }

  @Test("a call's field is awaited until its first message comes, and its task is known while it waits")
  func properties() {
    let lives = Self.histories.map { Self.life(after: $0.events) }
    #expect(lives.map(\.awaitedField) == [3, nil, nil, nil, nil, nil])
    #expect(lives.map(\.task) == [nil, nil, nil, Self.task, nil, nil])
    #expect(lives.map(\.isEnded) == [false, false, false, false, true, true])
    #expect(CallLife(tokenField: nil).state == .running(.none))
  }
}
