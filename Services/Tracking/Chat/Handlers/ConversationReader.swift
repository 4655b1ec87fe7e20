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
  /// Of the numbers; another one where the database was restored.
  let epoch: Int64
  private let queue: EventQueue
  private let state: Mutex<State>

  private struct State {
    var position: ChatPosition
    /// Members whose messages are folded ([C-10]), as of a version of the members.
    var hidden: Set<UserID> = []
    var memberVersion: Int64 = 0
    var isLive = false
    /// What happened while the stream read from the database, or is not complete yet.
    var messages: [StoredMessage] = []
    /// Whether more follows of what the feed reads: it may be of earlier revisions.
    var isPartial = false
    /// Of each member the last of each kind.
    var events: [ChatEvent.Event] = []
    var hasMissedSome = false
    /// Whether the client was told that the conversation is open.
    var isOpen = false
    var isClosed = false
  }

  /// Messages that wait for a stream that reads from the database; it reads more of them there.
  private static let maxWaiting = 256
  /// Messages that wait for the rest of what the feed reads; with more the stream ends, and its client continues from its position.
  private static let maxPartial = 2_000

  init(
    of conversationID: ConversationID, by userID: UserID, kind: ConversationKind, from firstSequence: Int64,
    epoch: Int64, at position: ChatPosition, queue: EventQueue
  ) {
    (self.conversationID, self.userID, self.kind, self.firstSequence) = (conversationID, userID, kind, firstSequence)
    (self.epoch, self.queue) = (epoch, queue)
    state = Mutex(State(position: position))
  }

  /// Up to where the client knows the conversation.
  var position: ChatPosition { state.withLock { $0.position } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Says that the conversation is open; false if the user is no longer a member.
  func open(_ opened: Opened, tag: String) -> Bool {
    var event = event(.opened(opened))
    event.tag = tag
    let isOpen = state.withLock { state in
      guard !state.isClosed else { return false }
      state.isOpen = true
      queue.append([event])
      return true
    }
    queue.wake.send()
    return isOpen
  }

  /// Folds the messages of some members from now on; what is known of a later version of the members stays.
  func fold(_ users: Set<UserID>, since memberVersion: Int64) {
    state.withLock { state in
      guard memberVersion >= state.memberVersion else { return }
      (state.hidden, state.memberVersion) = (users, memberVersion)
    }
  }

  /// Sends messages that were read for this reader alone.
  ///
  /// - Parameter hidden: users whose messages are folded, also such as are no longer members.
  func add(_ messages: [StoredMessage], folding hidden: Set<UserID>) {
    state.withLock { state in queue.append(messages.compactMap { event($0, folding: hidden, &state) }) }
    queue.wake.send()
  }

  /// The event of a message, where the client lacks it; moves the position behind it.
  private func event(_ message: StoredMessage, _ state: inout State) -> ChatEvent? {
    event(message, folding: state.hidden, &state)
  }

  private func event(_ message: StoredMessage, folding hidden: Set<UserID>, _ state: inout State) -> ChatEvent? {
    guard !state.isClosed, message.sequence >= firstSequence,
      state.position.lacks(message.sequence, message.revision)
    else { return nil }
    state.position = state.position.after(message.sequence, message.revision)
    return event(
      .message(
        MessageEvent(
          message: Message(message, for: userID, folding: hidden), position: state.position.wire(of: epoch))))
  }

  func event(_ event: ChatEvent.Event) -> ChatEvent {
    ChatEvent(conversationID: conversationID.description, event: event)
  }

  /// Moves the position on, for a client that asked for nothing before it.
  func skip(to position: ChatPosition) {
    state.withLock { $0.position = $0.position.after(position.sequence, position.revision) }
  }

  // MARK: What happens

  /// Sends messages that the feed has read, or keeps them for later.
  ///
  /// What the feed reads is in the order of its own position. A reader that is ahead of it has some of the messages already, and gets the changes of
  /// these in the order of their revisions once all are read: a revision in its position stands for all before it.
  ///
  /// - Parameters:
  ///   - start: from where the feed has read these.
  ///   - isPartial: whether more follows that was there by then.
  func deliver(_ messages: [StoredMessage], after start: ChatPosition, isPartial: Bool) {
    state.withLock { state in
      let wasPartial = state.isPartial
      state.isPartial = isPartial
      if !state.isLive {
        if state.messages.count + messages.count > Self.maxWaiting {
          (state.messages, state.hasMissedSome) = ([], true)
        } else if !state.hasMissedSome {
          state.messages += messages
        }
        return
      }
      let isAhead = state.position.sequence > start.sequence || state.position.revision > start.revision
      guard isAhead || wasPartial && !state.messages.isEmpty else {
        return queue.append(messages.compactMap { event($0, &state) })
      }
      state.messages += messages
      if !isPartial { return sendWaiting(&state) }
      if state.messages.count > Self.maxPartial { queue.overflow() }
    }
    queue.wake.send()
  }

  /// Sends what waits, of which nothing is missing: changes of messages that the client has in the order of their revisions, then later messages in
  /// that of their numbers.
  private func sendWaiting(_ state: inout State) {
    let known = state.position.sequence
    let latest = Dictionary(state.messages.map { ($0.sequence, $0) }) { $0.revision > $1.revision ? $0 : $1 }.values
    let changes = latest.filter { $0.sequence <= known }.sorted { $0.revision < $1.revision }
    let later = latest.filter { $0.sequence > known }.sorted { $0.sequence < $1.sequence }
    queue.append((changes + later).compactMap { event($0, &state) })
    state.messages = []
  }

  /// Sends something that is no message. Typing that comes before what the client missed would seem to go on behind it, and is left out.
  func deliver(_ event: ChatEvent.Event) {
    state.withLock { state in
      guard !state.isClosed else { return }
      if state.isLive { return queue.append([self.event(event)]) }
      guard let kind = event.kind else { return }
      state.events.removeAll { $0.kind == kind }
      state.events.append(event)
    }
    queue.wake.send()
  }

  /// Ends with an event that says so, unless it has ended before, or the client was not told that it had begun.
  func close(_ reason: CloseReason, tag: String = "") {
    var event = event(.closed(Closed(reason: reason)))
    event.tag = tag
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      if state.isOpen { queue.append([event]) }
    }
    queue.wake.send()
  }

  /// Ends without a word: another reader of the stream takes its place.
  func retire() { state.withLock { $0.isClosed = true } }

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
      if !state.isPartial { sendWaiting(&state) }
      queue.append(state.events.map { self.event($0) })
      state.events = []
      return true
    }
    queue.wake.send()
    return isLive
  }
}

/// What an event is about: a later one about the same replaces it.
private struct EventKind: Equatable {
  enum Subject { case presence, readMark }
  let subject: Subject
  let userID: String
}

extension ChatEvent.Event {
  /// `nil` for messages, and for what is worth nothing later.
  fileprivate var kind: EventKind? {
    switch self {
    case .presence(let one): EventKind(subject: .presence, userID: one.userID)
    case .readMark(let one): EventKind(subject: .readMark, userID: one.userID)
    default: nil
    }
  }
}
