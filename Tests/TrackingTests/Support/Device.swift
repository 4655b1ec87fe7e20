import Blocks
import ChatDomain
import ChatOperations
import Environment
import Identifiers
import Synchronization
import TTRPC
import TTRPCClient
import TandemChat
import TestServices
import TestSupport
import Testing
import TrackingDomain
import TrackingStore

/// A device that is connected to the chat, with all that it has received.
final class Device: Sendable {
  let user: TestUser
  private let writer: RequestWriter<ConnectRequest>
  private let received = Mutex<[ChatEvent]>([])
  private let end = Mutex<Status?>(nil)
  private let tags = Mutex(0)

  init(_ user: TestUser, _ writer: RequestWriter<ConnectRequest>) { (self.user, self.writer) = (user, writer) }

  func take(_ event: ChatEvent) { received.withLock { $0.append(event) } }
  func ended(_ status: Status) { end.withLock { $0 = status } }

  /// Everything that came, in order.
  var events: [ChatEvent] { received.withLock { $0 } }
  /// How the stream failed.
  var failure: Status? { end.withLock { $0 } }

  /// The messages of a conversation as they came, changes included.
  func messages(_ id: ConversationID) -> [Message] {
    events.compactMap { event in
      if case .message(let message) = event.event, event.conversationID == id.description {
        message.message
      } else {
        nil
      }
    }
  }

  /// The texts of the messages of a conversation.
  func texts(_ id: ConversationID) -> [String] { messages(id).map(\.text) }

  /// What was said of others' presence: `ada connected to the group`.
  var presence: [String] {
    events.compactMap { event in
      guard case .presence(let presence) = event.event else { return nil }
      return "\(presence.userID == TestUser.ada.id.description ? "ada" : presence.userID) \(presence.text)"
    }
  }

  /// What was said of a member, but for messages: `online`, `offline`, `typing`, `read 7`.
  func told(of member: TestUser) -> [String] {
    events.compactMap { event in
      switch event.event {
      case .presence(let one) where one.userID == member.id.description: one.online ? "online" : "offline"
      case .typingUserID(member.id.description): "typing"
      case .readMark(let mark) where mark.userID == member.id.description: "read \(mark.sequence)"
      default: nil
      }
    }
  }

  /// The last position that came with a message.
  var position: Position? {
    events.reversed().lazy.compactMap { if case .message(let message) = $0.event { message.position } else { nil } }
      .first
  }

  func send(_ request: ConnectRequest.Request?, tag: String = "") async throws {
    try await writer.send(ConnectRequest(tag: tag, request: request))
  }

  /// Sends a request and returns the response to it.
  func ask(_ request: ConnectRequest.Request) async throws -> ChatEvent {
    let tag = tags.withLock { number in
      number += 1
      return "tag\(number)"
    }
    try await send(request, tag: tag)
    return try await eventually("there is a response") { events.first { $0.tag == tag } }
  }

  @discardableResult
  func open(_ id: ConversationID, after position: Position? = nil) async throws -> Opened {
    let event = try await ask(.open(OpenConversation(conversationID: id.description, after: position)))
    guard case .opened(let opened) = event.event else { throw UnexpectedEvent(event: event) }
    return opened
  }

  @discardableResult
  func say(_ text: String, in id: ConversationID, as client: UUID7? = nil) async throws -> SendMessageResponse {
    let message = SendMessageRequest(
      conversationID: id.description, clientMessageID: "\(client ?? Self.newID())", text: text)
    let event = try await ask(.send(message))
    guard case .sent(let sent) = event.event else { throw UnexpectedEvent(event: event) }
    return sent
  }

  static func newID() -> UUID7 { SystemRandomness().uuid7(at: Instant(microseconds: 1_768_478_400_000_000)) }

  struct UnexpectedEvent: Error { let event: ChatEvent }
}

extension RunningTracking {
  var chat: ChatClient { ChatClient(client) }
  var chatOperations: ChatOperations {
    ChatOperations(events: runtime.events, live: runtime.live, environment: runtime.environment)
  }

  /// Runs `body` while a device of the user is connected.
  @discardableResult
  func connected<R: Sendable>(_ user: TestUser, _ body: @escaping @Sendable (Device) async throws -> R) async throws
    -> R
  {
    try await chat.connect(.token(user.id.description, timeout: .seconds(300))) { writer, events in
      let device = Device(user, writer)
      return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          do { for try await event in events { device.take(event) } } catch let status as Status {
            device.ended(status)
          }
        }
        let result = try await body(device)
        writer.finish()
        group.cancelAll()
        return result
      }
    }
  }

  /// Runs `body` while devices of users are connected, each with the conversation open.
  func connected<R: Sendable>(
    _ users: [TestUser], to id: ConversationID, _ body: @escaping @Sendable ([Device]) async throws -> R
  ) async throws -> R {
    try await connected(users[...], to: id, [], body)
  }

  private func connected<R: Sendable>(
    _ users: ArraySlice<TestUser>, to id: ConversationID, _ devices: [Device],
    _ body: @escaping @Sendable ([Device]) async throws -> R
  ) async throws -> R {
    guard let first = users.first else { return try await body(devices) }
    return try await connected(first) { device in
      try await device.open(id)
      return try await connected(users.dropFirst(), to: id, devices + [device], body)
    }
  }

  // MARK: Groups

  /// A group with members, and its conversation.
  func conversation(_ number: UInt64 = 1, of members: [TestUser], named name: String = "Home") async throws
    -> ConversationID
  {
    let group = try await group(number, of: members, named: name)
    try await followGroup(ConversationID(group.uuid))
    return ConversationID(group.uuid)
  }

  func followGroup(_ id: ConversationID) async throws {
    try await own.repeatableTransaction { tx in try await chatOperations.followGroups([id], tx) }
  }

  /// Does what the consumer of identity's events does when a user joins.
  func join(_ user: TestUser, _ id: ConversationID) async throws {
    let add = AddMemberships(
      groupIDs: [GroupID(id.uuid)], userIDs: [user.id], membershipIDs: [MembershipID(Device.newID())],
      joinedAts: [clock.now])
    try await own.repeatableTransaction { tx in
      try await tx.execute(add)
      try await chatOperations.followGroups([id], tx)
    }
  }

  /// Does what the consumer of identity's events does when a member leaves or is removed.
  func remove(_ user: TestUser, _ id: ConversationID) async throws {
    let row = try await sql("select membership_id from memberships where group_id = '\(id)' and user_id = '\(user.id)'")
    let membershipID = try #require(row.first?.first?.flatMap { $0 }.flatMap { MembershipID($0) })
    let end = RemoveMemberships(groupIDs: [GroupID(id.uuid)], userIDs: [user.id], membershipIDs: [membershipID])
    try await own.repeatableTransaction { tx in
      try await tx.execute(end)
      try await chatOperations.followGroups([id], tx)
    }
  }

  /// Stores a block, as the consumer of identity's events does for the chat.
  func blockInChat(_ block: Block) async throws {
    let pair = try #require(UserPair(block.blocker, block.blocked))
    try await own.repeatableTransaction { tx in
      try await tx.execute(AddBlocks([block]))
      try await chatOperations.lookAtBlocks(of: [pair], tx)
    }
  }

  /// Ends a block, as the consumer of identity's events does for the chat.
  func unblockInChat(_ block: Block) async throws {
    let pair = try #require(UserPair(block.blocker, block.blocked))
    try await own.repeatableTransaction { tx in
      try await tx.execute(RemoveBlocks([block]))
      try await chatOperations.lookAtBlocks(of: [pair], tx)
    }
  }

  // MARK: Calls

  func history(_ id: ConversationID, as user: TestUser, _ cursor: ListMessagesRequest.Cursor? = nil, size: Int32 = 0)
    async throws -> ListMessagesResponse
  {
    try await chat.listMessages(
      ListMessagesRequest(conversationID: id.description, cursor: cursor, pageSize: size), user.options)
  }

  func unread(_ id: ConversationID, as user: TestUser) async throws -> Int32 {
    try await chat.getConversation(GetConversationRequest(conversationID: id.description), user.options).unreadCount
  }

  /// A message of a user who is not connected: stored as if the user had been.
  func say(_ text: String, in id: ConversationID, as user: TestUser) async throws -> Int64 {
    try await connected(user) { device in
      try await device.open(id)
      return try await device.say(text, in: id).sequence
    }
  }

  func direct(_ user: TestUser, with other: TestUser) async throws -> ConversationID {
    let conversation = try await chat.getOrCreateDirectConversation(
      GetOrCreateDirectConversationRequest(userID: other.id.description), user.options)
    return try #require(ConversationID(conversation.conversationID))
  }
}
