import Synchronization

/// Reaches the subscribers of this process alone; those of other replicas find what is new by their own slow look.
public final class ProcessBus: LiveBus {
  private struct State {
    var subscribers: [LiveChannel: [UInt64: LiveMailbox]] = [:]
    var lastID: UInt64 = 0
  }

  private let state = Mutex(State())

  /// A bus without subscribers.
  public init() {}

  /// Hands `payload` to the process's subscribers.
  public func publish(_ payload: [UInt8], to channel: LiveChannel) {
    let subscribers = state.withLock { $0.subscribers[channel]?.values.map(\.self) ?? [] }
    for subscriber in subscribers { _ = subscriber.put(payload) }
  }

  /// What is published in the process from now on.
  public func subscribe(to channel: LiveChannel) -> LiveSubscription {
    let mailbox = LiveMailbox()
    let id = state.withLock { state in
      state.lastID += 1
      state.subscribers[channel, default: [:]][state.lastID] = mailbox
      return state.lastID
    }
    mailbox.putGap()
    return LiveSubscription(mailbox) { [weak self] in
      _ = self?.state.withLock { $0.subscribers[channel]?.removeValue(forKey: id) }
    }
  }
}
