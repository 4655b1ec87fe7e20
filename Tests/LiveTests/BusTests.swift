@testable import Live
import TestSupport
import Testing

@Suite("Live messages", .timeLimit(.minutes(5)))
struct BusTests {
  let channel = LiveChannel("tests.channel")

  @Test(
    "every subscriber of every process hears a message once, the publisher's own included", arguments: Carrier.allCases)
  func fanOut(_ carrier: Carrier) async throws {
    try await Stage.with(carrier) { stage in
      try await stage.buses(3) { buses in
        var listeners: [Listener] = []
        for bus in buses { for _ in 0..<40 { listeners.append(await bus.listener(to: channel)) } }
        for (number, bus) in buses.enumerated() { bus.publish("from \(number)", to: channel) }
        for place in listeners.indices {
          #expect(Set(await listeners[place].texts(3)) == ["from 0", "from 1", "from 2"])
        }
        buses[0].publish("last", to: channel)
        for place in listeners.indices { #expect(await listeners[place].nextText() == "last") }
      }
    }
  }

  @Test("what one publisher sends on a channel is heard in its order and completely", arguments: Carrier.allCases)
  func order(_ carrier: Carrier) async throws {
    try await Stage.with(carrier) { stage in
      try await stage.buses(4) { buses in
        var listener = await buses[3].listener(to: channel)
        await withTaskGroup { group in
          for (number, bus) in buses.enumerated() {
            group.addTask { for message in 0..<250 { bus.publish("\(number) \(message)", to: channel) } }
          }
        }
        let heard = await listener.texts(1_000)
        for number in buses.indices {
          #expect(heard.filter { $0.hasPrefix("\(number) ") } == (0..<250).map { "\(number) \($0)" })
        }
      }
    }
  }

  @Test("equal messages in one burst are all heard", arguments: Carrier.allCases)
  func equalMessages(_ carrier: Carrier) async throws {
    try await Stage.with(carrier) { stage in
      try await stage.buses(1) { buses in
        var listener = await buses[0].listener(to: channel)
        for _ in 0..<100 { buses[0].publish("same", to: channel) }
        buses[0].publish("end", to: channel)
        #expect(await listener.texts(101) == Array(repeating: "same", count: 100) + ["end"])
      }
    }
  }

  @Test("a payload of up to 256 KiB arrives as it was, a longer one as a gap", arguments: Carrier.allCases)
  func sizes(_ carrier: Carrier) async throws {
    try await Stage.with(carrier) { stage in
      try await stage.buses(2) { buses in
        var listener = await buses[1].listener(to: channel)
        for size in [0, 1, 5_878, 5_879, 5_880, 8_000, 100_000, LiveLimits.payloadBytes] {
          let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ size) }
          buses[0].publish(payload, to: channel)
          #expect(await listener.nextPayload() == payload, "\(size) bytes")
        }
        buses[0].publish([UInt8](repeating: 1, count: LiveLimits.payloadBytes + 1), to: channel)
        #expect(await listener.next() == .gap)
        buses[0].publish("after", to: channel)
        #expect(await listener.nextText() == "after")
      }
    }
  }

  @Test("hundreds of channels are kept apart", arguments: Carrier.allCases)
  func manyChannels(_ carrier: Carrier) async throws {
    try await Stage.with(carrier) { stage in
      try await stage.buses(2) { buses in
        let channels = (0..<600).map { LiveChannel("tests.many.\($0)") }
        let subscriptions = channels.map { buses[0].subscribe(to: $0) }
        var listeners = subscriptions.map { Listener($0) }
        for place in listeners.indices { await listeners[place].skipGap() }
        for channel in channels { buses[1].publish(channel.name, to: channel) }
        for place in listeners.indices { #expect(await listeners[place].nextText() == channels[place].name) }
      }
    }
  }

  @Test("channels given up before they were asked for do not keep others waiting", arguments: Carrier.allCases)
  func manyGivenUp(_ carrier: Carrier) async throws {
    try await Stage.with(carrier) { stage in
      try await stage.buses(1) { buses in
        for number in 0..<2_000 { _ = buses[0].subscribe(to: LiveChannel("tests.brief.\(number)")) }
        var listener = await buses[0].listener(to: channel)
        buses[0].publish("hello", to: channel)
        #expect(await listener.nextText() == "hello")
        #expect(buses[0].hub.channelNames == [channel.name])
      }
    }
  }

  @Test("a name may be anything that names are made of", arguments: Carrier.allCases)
  func names(_ carrier: Carrier) async throws {
    let names = [
      ".", "..", "_", "0", "a..b", ".a.", "a_b", "a.b", "select", "listen", "tandem.live", "tandem_live", "null",
      String(repeating: "x", count: 60), String(repeating: ".", count: 60),
    ]
    try await Stage.with(carrier) { stage in
      try await stage.buses(1) { buses in
        var listeners: [Listener] = []
        for name in names { listeners.append(await buses[0].listener(to: LiveChannel(name))) }
        for name in names { buses[0].publish("to \(name)", to: LiveChannel(name)) }
        for name in names { buses[0].publish("end", to: LiveChannel(name)) }
        for (place, name) in names.enumerated() { #expect(await listeners[place].texts(2) == ["to \(name)", "end"]) }
      }
    }
  }

  @Test(
    "another name is none", arguments: ["", "tests.Upper", "a;drop table notes", String(repeating: "x", count: 61)])
  func badNames(_ name: String) {
    #expect(!LiveChannel.isName(name))
  }

  @Test(
    "a subscriber that does not read gets a gap in place of what it missed, then what came last",
    arguments: Carrier.allCases)
  func slowSubscriber(_ carrier: Carrier) async throws {
    try await Stage.with(carrier) { stage in
      try await stage.buses(1) { buses in
        var slow = await buses[0].listener(to: channel)
        var quick = await buses[0].listener(to: channel)
        for message in 0..<5_000 {
          buses[0].publish("\(message)", to: channel)
          if message % 500 == 499 { try await quick.read(until: "\(message)") }
        }
        #expect(await slow.next() == .gap)
        var heard: [Int] = []
        while heard.last != 4_999, let text = await slow.nextText() { heard.append(Int(text) ?? -1) }
        #expect(heard.count <= LiveLimits.messagesPerSubscriber)
        #expect(heard == Array((5_000 - heard.count)..<5_000))
      }
    }
  }

  @Test("a subscriber's memory is bounded in bytes too", arguments: Carrier.allCases)
  func slowSubscriberOfLongMessages(_ carrier: Carrier) async throws {
    try await Stage.with(carrier) { stage in
      try await stage.buses(1) { buses in
        var slow = await buses[0].listener(to: channel)
        var quick = await buses[0].listener(to: channel)
        for message in 0..<24 {
          buses[0].publish([UInt8](repeating: UInt8(message), count: 200_000), to: channel)
          try await quick.read(until: { $0.first == UInt8(message) })
        }
        #expect(await slow.next() == .gap)
        var heard: [UInt8] = []
        while heard.last != 23, let payload = await slow.nextPayload() { heard.append(payload.first ?? 0) }
        #expect(
          heard.count <= LiveLimits.bytesPerSubscriber / 200_000 && heard == Array((24 - UInt8(heard.count))..<24))
      }
    }
  }

  @Test(
    "a subscription ends with the task that reads it, and its channel with its last subscription",
    arguments: Carrier.allCases)
  func endsWithTask(_ carrier: Carrier) async throws {
    try await Stage.with(carrier) { stage in
      try await stage.buses(1) { buses in
        let bus = buses[0]
        let reader = Task {
          var listener = await bus.listener(to: LiveChannel("tests.read"))
          return await listener.next()
        }
        _ = try await eventually("it reads") { bus.hub.channelNames == ["tests.read"] ? true : nil }
        do { _ = bus.subscribe(to: LiveChannel("tests.dropped")) }
        _ = try await eventually("a dropped one is left") { bus.hub.channelNames == ["tests.read"] ? true : nil }
        reader.cancel()
        #expect(await reader.value == nil)
        _ = try await eventually("the channel is left") { bus.hub.channelNames.isEmpty ? true : nil }
        // The same channel again, many times: commands to the server are never reordered.
        for round in 0..<50 {
          var again = await bus.listener(to: LiveChannel("tests.read"))
          bus.publish("\(round)", to: LiveChannel("tests.read"))
          #expect(await again.nextText() == "\(round)")
        }
      }
    }
  }

  @Test("subscriptions end when the bus stops, and what was published before goes out", arguments: Carrier.allCases)
  func stops(_ carrier: Carrier) async throws {
    try await Stage.with(carrier) { stage in
      try await stage.buses(1) { buses in
        var listener = await buses[0].listener(to: channel)
        let leaving = try stage.bus(7)
        var leavers = Listener(leaving.subscribe(to: channel))
        try await runUntilStopped(leaving) {
          await leavers.skipGap()
          for message in 0..<300 { leaving.publish("\(message)", to: channel) }
        }
        #expect(await listener.texts(300) == (0..<300).map(String.init))
        while await leavers.next() != nil {}
        var late = Listener(leaving.subscribe(to: channel))
        #expect(await late.next() == .gap)
        #expect(await late.next() == nil)
      }
    }
  }
}
