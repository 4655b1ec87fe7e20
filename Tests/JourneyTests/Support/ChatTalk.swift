import Environment
import TTRPC
import TandemChat
import TestSupport

/// Members of one conversation who send and read at replicas of tracking that are killed, and what they saw.
struct ChatTalk: Sendable {
  /// A message that was acknowledged.
  struct Acknowledged: Sendable, Hashable {
    let text: String
    let sequence: Int64
  }

  let replicas: [ChatClient]
  let conversation: String
  let acknowledged = Gathered<Acknowledged>()
  /// What readers were told of others' presence.
  let presence = Gathered<Presence>()
  /// Refusals that no kill explains.
  let surprises = Gathered<String>()
  /// The replica after each of the ends of streams.
  let interruptions = Gathered<Int>()

  /// The text of the last message, with which readers end.
  static let end = "over"

  /// Refusals that pass: while the lease of a replica could not be renewed its users are not online.
  private static let passing: Set<String> = ["NOT_CONNECTED", "OVERLOADED"]

  init(at replicas: [ChatClient], in conversation: String) {
    (self.replicas, self.conversation) = (replicas, conversation)
  }

  private func options(_ member: ThreeServices.Member) -> CallOptions { .token(member.token, timeout: .seconds(300)) }

  /// Sends messages one after the other; one whose outcome is unknown is sent again with the same id, at the next replica.
  func send(_ texts: [String], as member: ThreeServices.Member, at first: Int) async throws {
    var left = texts.map { text in
      SendMessageRequest(
        conversationID: conversation,
        clientMessageID: "\(SystemRandomness().uuid7(at: SystemClock().now))", text: text)
    }[...]
    try await patiently(first) { chat in
      try await chat.connect(options(member)) { requests, events in
        try await requests.send(ConnectRequest(request: .open(OpenConversation(conversationID: conversation))))
        for try await event in events {
          switch event.event {
          case .opened: break
          case .sent(let sent):
            guard sent.clientMessageID == left.first?.clientMessageID else { continue }
            acknowledged.add(Acknowledged(text: left.removeFirst().text, sequence: sent.sequence))
          case .refusal(let refusal) where Code(rawValue: refusal.code) == .unavailable: throw Interrupted()
          case .refusal(let refusal) where refusal.reason == "SENT_TOO_MUCH":
            // As long as one message takes by the rate; it is not measured.
            try await Task.sleep(for: .milliseconds(20))
          case .refusal(let refusal):
            if !Self.passing.contains(refusal.reason) { surprises.add("\(refusal)") }
            throw Interrupted()
          case .closed: throw Interrupted()
          default: continue
          }
          guard let next = left.first else { return }
          try await requests.send(ConnectRequest(request: .send(next)))
        }
        if !left.isEmpty { throw Interrupted() }
      }
    }
  }

  /// Reads everything up to the last message, after each interruption behind the last one that came.
  func read(as member: ThreeServices.Member, at first: Int) async throws -> [Message] {
    var (seen, position) = ([Message](), Position())
    try await patiently(first) { chat in
      let open = OpenConversation(conversationID: conversation, after: position)
      try await chat.follow(FollowRequest(conversations: [open]), options(member)) { events in
        for try await event in events {
          switch event.event {
          case .message(let news):
            guard let message = news.message else { continue }
            position = news.position ?? position
            seen.append(message)
            if message.text == Self.end { return }
          case .presence(let news): presence.add(news)
          case .closed: throw Interrupted()
          default: break
          }
        }
        throw Interrupted()
      }
    }
    return seen
  }

  /// Is online at a replica until that ends.
  func stay(as member: ThreeServices.Member, at replica: Int, _ opened: Gathered<String>) async throws {
    let call = FollowRequest(conversations: [OpenConversation(conversationID: conversation)])
    do {
      try await replicas[replica].follow(call, options(member)) { events in
        for try await event in events {
          if case .opened = event.event { opened.add(member.id) }
        }
      }
    } catch is Status {}
  }

  /// Repeats a call until it succeeds, at the next replica after each failure.
  private func patiently(_ first: Int, _ call: (ChatClient) async throws -> Void) async throws {
    var replica = first
    while true {
      do { return try await call(replicas[replica % replicas.count]) } catch let status as Status
        where [.unavailable, .cancelled, .deadlineExceeded, .resourceExhausted].contains(status.code)
      {} catch is Interrupted {}
      try Task.checkCancellation()
      replica += 1
      interruptions.add(replica)
      // The replica that was killed may be the next one; the pause is not measured.
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// The stream, or what was sent, is to be repeated.
  private struct Interrupted: Error {}

  /// What is wrong with what readers saw, by reader.
  func complaints(_ seen: [[Message]]) -> [String] {
    var complaints = surprises.all
    for (reader, messages) in seen.enumerated() {
      let numbers = messages.map(\.sequence)
      if numbers != Array((numbers.first ?? 0)..<((numbers.first ?? 0) + Int64(numbers.count))) {
        complaints.append("reader \(reader) had gaps or repetitions: \(numbers)")
      }
      let texts = messages.filter { $0.notice == .unspecified }.map(\.text)
      if Set(texts).count != texts.count { complaints.append("reader \(reader) saw a message under two numbers") }
      let known = Set(messages.map { Acknowledged(text: $0.text, sequence: $0.sequence) })
      let missed = Set(acknowledged.all).subtracting(known)
      if !missed.isEmpty { complaints.append("reader \(reader) missed \(missed)") }
    }
    return complaints
  }
}
