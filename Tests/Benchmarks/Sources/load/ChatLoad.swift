import ArgumentParser
import Foundation
import Measure
import Synchronization
import TTRPC
import TTRPCClient
import TandemChat

/// Users who are connected to the conversations of their groups, and send messages at an even rate.
///
/// Each checks that the messages come without a gap; the age of a message when it arrives is counted from the moment at which it was due
/// to be sent.
struct ChatLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "chat")

  @OptionGroup var live: LiveOptions
  @Option(help: "Messages a second in all.") var rate = 1_000.0

  func run() async throws {
    try await live.run { all, connections in
      // Neighbours in this order are of different groups, as users who send at the same moment are.
      let users = (0..<(all.groups.map(\.members.count).max() ?? 0)).flatMap { place in
        all.groups.filter { place < $0.members.count }.map { group in
          (conversation: group.id, token: group.members[place], members: group.members.count)
        }
      }
      let progress = ChatProgress()
      let (seen, cpu) = try await withThrowingTaskGroup(of: Member.Seen?.self) { group in
        for (place, user) in users.enumerated() {
          let (client, executor) = connections[place]
          let member = Member(
            chat: ChatClient(client), conversation: user.conversation, members: user.members, place: place,
            options: .of(user.token), progress: progress)
          group.addTask(executorPreference: executor) { try await member.talk() }
        }
        try await progress.wait(until: { $0.connected == users.count }, "all are connected")
        let plan = EvenRate(of: users.count, rate: rate, warm: live.warm, seconds: live.seconds)
        progress.begin(plan)
        try await WallTime.sleep(until: plan.counted.lowerBound)
        let times = CPUTimes(serverPID: live.serverPid)
        try await WallTime.sleep(until: plan.counted.upperBound)
        let cpu = times.json
        try await progress.wait(until: { $0.done == users.count && $0.missing <= 0 }, "all messages have arrived")
        group.cancelAll()
        return (try await group.reduce(into: Member.Seen()) { if let one = $1 { $0 += one } }, cpu)
      }
      print(
        """
        {"rate":\(Double(seen.answered) / live.seconds),\(seen.sent.json("ack")),\(seen.received.json("seen")),\
        "seen_rate":\(Double(seen.received.count) / live.seconds),"missing":\(progress.counts.missing),\(cpu)}
        """)
    }
  }
}

/// How far the members are.
private final class ChatProgress: Sendable {
  struct Counts {
    var connected = 0
    var done = 0
    /// Messages that have not arrived at some member yet.
    var missing = 0
  }

  private let state = Mutex((counts: Counts(), plan: EvenRate?.none))

  var counts: Counts { state.withLock { $0.counts } }
  /// `nil` until all are connected.
  var plan: EvenRate? { state.withLock { $0.plan } }

  func begin(_ plan: EvenRate) { state.withLock { $0.plan = plan } }
  func isConnected() { state.withLock { $0.counts.connected += 1 } }
  func isDone() { state.withLock { $0.counts.done += 1 } }
  func sends(to members: Int) { state.withLock { $0.counts.missing += members } }
  func receives(_ count: Int) { state.withLock { $0.counts.missing -= count } }

  func wait(until isSo: (Counts) -> Bool, _ what: String) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while !isSo(counts) {
      guard ContinuousClock.now < end else {
        throw WrongAnswer("in a minute it did not happen that \(what): \(counts)")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

/// A user with one conversation open.
private struct Member: Sendable {
  struct Seen {
    var sent = Delays()
    /// Messages of any time that were answered in the time that counts.
    var answered = 0
    var received = Delays()

    static func += (one: inout Seen, other: Seen) {
      one.sent += other.sent
      one.answered += other.answered
      one.received += other.received
    }
  }

  let chat: ChatClient
  let conversation: String
  let members: Int
  let place: Int
  let options: CallOptions
  let progress: ChatProgress

  /// Connects, sends and receives until the task is cancelled.
  func talk() async throws -> Seen {
    var seen = Seen()
    do {
      try await whenNotOverloaded {
        try await chat.connect(options) { requests, events in
          try await requests.send(ConnectRequest(request: .open(OpenConversation(conversationID: conversation))))
          try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await send(requests) }
            seen = try await receive(events)
            group.cancelAll()
          }
        }
      }
    } catch  where Task.isCancelled {}
    return seen
  }

  private func send(_ requests: RequestWriter<ConnectRequest>) async throws {
    while progress.plan == nil { try await Task.sleep(for: .milliseconds(50)) }
    guard let plan = progress.plan else { return }
    for due in plan.times(of: place) {
      try await WallTime.sleep(until: due)
      if plan.counted.contains(due) { progress.sends(to: members) }
      try await requests.send(
        ConnectRequest(
          tag: String(due),
          request: .send(
            SendMessageRequest(
              conversationID: conversation, clientMessageID: UUID().uuidString.lowercased(),
              text: "\(due) we meet at the usual place, a little later than last time"))))
    }
    progress.isDone()
  }

  private func receive(_ events: MessageStream<ChatEvent>) async throws -> Seen {
    var (seen, last) = (Seen(), Int64(-1))
    do {
      for try await event in events {
        switch event.event {
        case .opened(let opened):
          last = opened.position?.sequence ?? 0
          progress.isConnected()
        case .message(let event):
          guard let message = event.message, message.sequence == last + 1 else {
            throw WrongAnswer("\(event.message?.sequence ?? 0) behind \(last)")
          }
          last = message.sequence
          guard let due = Int64(message.text.prefix { $0 != " " }), progress.plan?.counted.contains(due) == true else {
            continue
          }
          seen.received.add(WallTime.now - due)
          progress.receives(1)
        case .sent:
          guard let due = Int64(event.tag), let counted = progress.plan?.counted else { continue }
          let now = WallTime.now
          if counted.contains(now) { seen.answered += 1 }
          if counted.contains(due) { seen.sent.add(now - due) }
        case .presence: continue
        default: throw WrongAnswer(event)
        }
      }
    } catch  where Task.isCancelled {}
    return seen
  }
}
