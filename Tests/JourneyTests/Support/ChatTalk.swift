import Environment
import Synchronization
import TTRPC
import TandemChat
import TestSupport

/// Members of one conversation who send, change and read at replicas of tracking that are killed, and what they saw.
struct ChatTalk: Sendable {
  /// A message that was acknowledged.
  struct Acknowledged: Sendable, Hashable {
    let text: String
    let sequence: Int64
  }

  let replicas: [ChatClient]
  let conversation: String
  /// Where members log in again whose tokens have expired.
  let users: ThreeServices
  let acknowledged = Gathered<Acknowledged>()
  /// Edits and deletions that were acknowledged; the text of a deleted message is empty.
  let changed = Gathered<Acknowledged>()
  /// What readers were told of others' presence.
  let presence = Gathered<Presence>()
  /// Refusals that no kill explains.
  let surprises = Gathered<String>()
  /// The replica after each of the ends of streams.
  let interruptions = Gathered<Int>()
  /// Members as they logged in last, by their ids.
  private let loggedIn = LoggedIn()

  /// The text of the last message, with which readers end.
  static let end = "over"

  /// Refusals that pass.
  private static let passing: Set<String> = ["OVERLOADED"]
  /// How long a reader that has the last message waits for a change that it lacks.
  private static let patience = Duration.seconds(30)

  init(at replicas: [ChatClient], in conversation: String, users: ThreeServices) {
    (self.replicas, self.conversation, self.users) = (replicas, conversation, users)
  }

  private func options(_ member: ThreeServices.Member, timeout: Duration = .seconds(300)) -> CallOptions {
    .token(member.token, timeout: timeout)
  }

  /// Sends messages one after the other; one whose outcome is unknown is sent again with the same id, at the next replica.
  @discardableResult
  func send(_ texts: [String], as member: ThreeServices.Member, at first: Int) async throws -> [Acknowledged] {
    var sent: [Acknowledged] = []
    var left = texts.map { text in
      SendMessageRequest(
        conversationID: conversation,
        clientMessageID: "\(SystemRandomness().uuid7(at: SystemClock().now))", text: text)
    }[...]
    try await patiently(first, as: member) { chat, member in
      try await chat.connect(options(member)) { requests, events in
        try await requests.send(ConnectRequest(request: .open(OpenConversation(conversationID: conversation))))
        for try await event in events {
          switch event.event {
          case .opened: break
          case .sent(let answer):
            guard answer.clientMessageID == left.first?.clientMessageID else { continue }
            sent.append(Acknowledged(text: left.removeFirst().text, sequence: answer.sequence))
            acknowledged.add(sent[sent.count - 1])
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
    return sent
  }

  /// How many of so many messages ``changeInReverse(_:as:at:)`` changes.
  static func changes(of messages: Int) -> Int { (0..<messages).count { $0 % 3 != 2 } }

  /// Deletes every third of a member's messages and edits every third, the last one first: so later changes are of earlier messages ([TR-33]).
  func changeInReverse(_ sent: [Acknowledged], as member: ThreeServices.Member, at first: Int) async throws {
    for (number, message) in sent.enumerated().reversed() where number % 3 != 2 {
      let edited = number % 3 == 0 ? "" : "\(message.text), edited"
      try await patiently(first, as: member) { chat, member in
        if edited.isEmpty {
          _ = try await chat.deleteMessage(
            DeleteMessageRequest(conversationID: conversation, sequence: message.sequence), options(member))
        } else {
          _ = try await chat.editMessage(
            EditMessageRequest(conversationID: conversation, sequence: message.sequence, text: edited), options(member))
        }
      }
      changed.add(Acknowledged(text: edited, sequence: message.sequence))
    }
  }

  /// Reads everything up to the last message, and the changes before it; after each interruption behind what came last.
  ///
  /// - Parameter cuts: after how many events the reader itself ends the stream, again and again; `nil` for never.
  func read(
    as member: ThreeServices.Member, at first: Int, cutBy cuts: SeededRandomness? = nil
  ) async throws -> ChatView {
    var view = ChatView()
    try await patiently(first, as: member) { chat, member in
      let open = OpenConversation(conversationID: conversation, after: view.position)
      let limit = view.isOver ? Self.patience : .seconds(300)
      var left = cuts.map { 20 + Int($0.uint64() % 200) } ?? .max
      do {
        try await chat.follow(FollowRequest(conversations: [open]), options(member, timeout: limit)) { events in
          // What was missed may all have come by the stream before.
          if view.isOver, view.lacks(changed.all).isEmpty { return }
          for try await event in events {
            switch event.event {
            case .message(let news):
              view.take(news)
              if view.isOver, view.lacks(changed.all).isEmpty { return }
            case .presence(let news): presence.add(news)
            case .closed: throw Interrupted()
            default: break
            }
            left -= 1
            if left == 0 { throw Interrupted() }
          }
          throw Interrupted()
        }
      } catch let status as Status where status.code == .deadlineExceeded && limit == Self.patience {}
    }
    return view
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
  private func patiently(
    _ first: Int, as member: ThreeServices.Member, _ call: (ChatClient, ThreeServices.Member) async throws -> Void
  ) async throws {
    var (replica, member) = (first, loggedIn[member.id] ?? member)
    while true {
      do { return try await call(replicas[replica % replicas.count], member) } catch let status as Status
        where [.unavailable, .cancelled, .deadlineExceeded, .resourceExhausted].contains(status.code)
      {} catch let status as Status where status.code == .unauthenticated {
        member = try await users.loginAgain(member)
        loggedIn[member.id] = member
      } catch is Interrupted {}
      try Task.checkCancellation()
      replica += 1
      interruptions.add(replica)
      // The replica that was killed may be the next one; the pause is not measured.
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private final class LoggedIn: Sendable {
    private let members = Mutex<[String: ThreeServices.Member]>([:])

    subscript(id: String) -> ThreeServices.Member? {
      get { members.withLock { $0[id] } }
      set { members.withLock { $0[id] = newValue } }
    }
  }

  /// The stream, or what was sent, is to be repeated.
  private struct Interrupted: Error {}

  /// What is wrong with what readers saw, by reader.
  func complaints(_ seen: [ChatView]) -> [String] {
    var complaints = surprises.all
    let last = Dictionary(changed.all.map { ($0.sequence, $0) }) { $1 }
    let expected = Set(acknowledged.all.map { last[$0.sequence] ?? $0 })
    for (reader, view) in seen.enumerated() {
      let numbers = view.arrivals
      if numbers != Array((numbers.first ?? 0)..<((numbers.first ?? 0) + Int64(numbers.count))) {
        complaints.append("reader \(reader) had gaps or repetitions: \(numbers)")
      }
      if view.wentBack { complaints.append("the position of reader \(reader) went back") }
      let texts = view.messages.values.filter { $0.notice == .unspecified && $0.deleteTime == nil }.map(\.text)
      if Set(texts).count != texts.count { complaints.append("reader \(reader) saw a message under two numbers") }
      let kept = view.lacks(changed.all)
      if !kept.isEmpty { complaints.append("reader \(reader) keeps what was edited or deleted: \(kept)") }
      let missed = expected.subtracting(view.messages.values.map { Acknowledged(text: $0.text, sequence: $0.sequence) })
      if !missed.isEmpty { complaints.append("reader \(reader) missed \(missed)") }
    }
    return complaints
  }
}

/// A conversation as a client shows it that keeps its position ([TR-33]).
struct ChatView: Sendable {
  /// Each message as it came last.
  private(set) var messages: [Int64: Message] = [:]
  /// The numbers of messages in the order in which they came first.
  private(set) var arrivals: [Int64] = []
  private(set) var position = Position()
  /// Whether the last message came.
  private(set) var isOver = false
  /// Whether a position was before the one that came before it.
  private(set) var wentBack = false

  mutating func take(_ news: MessageEvent) {
    guard let message = news.message else { return }
    if let later = news.position {
      if later.sequence < position.sequence || later.revision < position.revision { wentBack = true }
      position = later
    }
    if messages.updateValue(message, forKey: message.sequence) == nil { arrivals.append(message.sequence) }
    if message.text == ChatTalk.end { isOver = true }
  }

  /// Those of some changes that it does not show, but another text.
  func lacks(_ changes: [ChatTalk.Acknowledged]) -> [ChatTalk.Acknowledged] {
    changes.filter { change in
      guard let message = messages[change.sequence] else { return true }
      return message.text != change.text || (message.deleteTime != nil) != change.text.isEmpty
    }
  }
}
