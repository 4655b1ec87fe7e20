import ChatDomain
import Identifiers
import Synchronization
import TandemChat
import TrackingStore

/// One stream's view of one conversation: which messages its client lacks.
///
/// While the stream reads from the database what its client missed, what happens waits here; then it goes into the stream's queue as it comes. Each
/// message is compared with the position, so one that was read from the database is not sent again.
final class ConversationReader: Sendable {
  let conversationID: ConversationID
  let userID: UserID
  let kind: ConversationKind
  /// The first message that the member sees.
  let firstSequence: Int64
  private let queue: EventQueue
  private let state: Mutex<State>

  private struct State {
    var position: ChatPosition
    var isLive = false
    /// What happened while the stream read from the database.
    var messages: [StoredMessage] = []
    var events: [ChatEvent] = []
    var hasMissedSome = false
    var isClosed = false
  }

  /// Messages that wait for a stream that reads from the database; it reads more of them there.
  private static let most = 256

  init(
    of conversationID: ConversationID, by userID: UserID, kind: ConversationKind, from firstSequence: Int64,
    at position: ChatPosition, queue: EventQueue
  ) {
    (self.conversationID, self.userID, self.kind, self.firstSequence) = (conversationID, userID, kind, firstSequence)
    self.queue = queue
    state = Mutex(State(position: position))
  }

  /// Up to where the client knows the conversation.
  var position: ChatPosition { state.withLock { $0.position } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// The event of a message, where the client lacks it; moves the position behind it.
  func event(_ message: StoredMessage) -> ChatEvent? { state.withLock { event(message, &$0) } }

  private func event(_ message: StoredMessage, _ state: inout State) -> ChatEvent? {
    guard !state.isClosed, message.sequence >= firstSequence,
      state.position.lacks(message.sequence, message.revision)
    else { return nil }
    state.position = state.position.after(message.sequence, message.revision)
    return event(.message(MessageEvent(message: Message(message, for: userID), position: state.position.wire)))
  }

  func event(_ event: ChatEvent.Event) -> ChatEvent {
    ChatEvent(conversationID: conversationID.description, event: event)
  }

  /// Moves the position on, for a client that asked for nothing before it.
  func skip(to position: ChatPosition) {
    state.withLock { $0.position = $0.position.after(position.sequence, position.revision) }
  }

  // MARK: What happens

  /// Sends messages, or keeps them for later.
  func deliver(_ messages: [StoredMessage]) {
    state.withLock { state in
      if state.isLive {
        queue.append(messages.compactMap { event($0, &state) })
      } else if state.messages.count + messages.count > Self.most {
        (state.messages, state.hasMissedSome) = ([], true)
      } else if !state.hasMissedSome {
        state.messages += messages
      }
    }
    queue.wake.send()
  }

  /// Sends something that is no message.
  func deliver(_ event: ChatEvent.Event) {
    let event = self.event(event)
    state.withLock { state in
      guard !state.isClosed else { return }
      if state.isLive { queue.append([event]) } else { state.events.append(event) }
    }
    queue.wake.send()
  }

  /// Ends with an event that says so; false if it has ended before.
  @discardableResult
  func close(_ reason: CloseReason, tag: String = "") -> Bool {
    var event = event(.closed(Closed(reason: reason)))
    event.tag = tag
    let isFirst = state.withLock { state in
      guard !state.isClosed else { return false }
      state.isClosed = true
      queue.append([event])
      return true
    }
    queue.wake.send()
    return isFirst
  }

  /// Called when the client has everything that was in the database: from now on things are sent as they happen.
  ///
  /// - Returns: false if there is more in the database than could wait here.
  func goLive() -> Bool {
    let isLive = state.withLock { state in
      // Nothing follows the event that says so.
      guard !state.isClosed else { return true }
      if state.hasMissedSome {
        state.hasMissedSome = false
        return false
      }
      state.isLive = true
      let messages = state.messages.compactMap { event($0, &state) }
      queue.append(messages + state.events)
      (state.messages, state.events) = ([], [])
      return true
    }
    queue.wake.send()
    return isLive
  }
}
