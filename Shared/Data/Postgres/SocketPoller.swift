import CLibPQ
import Glibc
import LoopExecutor
import Synchronization

/// Waits for a socket that NIO does not own.
protocol SocketPollerTarget: AnyObject, Sendable {
  /// Called when the socket can be read, or written where that was requested, or has failed. Runs on the target's event
  /// loop, once per ``SocketPoller/arm``.
  func ready()
}

/// Notifies event loops when libpq's sockets are ready: one thread per process that waits with epoll and does nothing
/// else.
final class SocketPoller: Sendable {
  /// The only one of the process.
  static let shared = SocketPoller()

  private struct Watch {
    let executor: LoopExecutor
    let target: any SocketPollerTarget
  }

  private struct Watches {
    var byToken: [UInt64: Watch] = [:]
    /// The watch that a descriptor belongs to: libpq closes one by itself when a connection fails, and its number may
    /// be another connection's at once.
    var owners: [Int32: UInt64] = [:]
    var lastToken: UInt64 = 0
  }

  private let epoll: Int32
  private let watches = Mutex(Watches())

  private init() {
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    precondition(epoll >= 0, "epoll_create1 failed: errno \(errno)")
    let started = BackgroundThread.start { [self] in report() }
    precondition(started, "the system grants no thread to wait for the database")
  }

  /// Begins to watch `descriptor` for `target`; nothing is reported before ``arm(_:descriptor:forWriting:)``. Tokens
  /// are never reused, so a late report of a closed socket is dropped.
  func add(_ target: any SocketPollerTarget, descriptor: Int32, on executor: LoopExecutor) -> UInt64 {
    watches.withLock {
      $0.lastToken += 1
      $0.byToken[$0.lastToken] = Watch(executor: executor, target: target)
      $0.owners[descriptor] = $0.lastToken
      return $0.lastToken
    }
  }

  /// Reports the next readiness of `descriptor`, which must be open and the token's own, once.
  func arm(_ token: UInt64, descriptor: Int32, forWriting: Bool) {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue | EPOLLONESHOT.rawValue | (forWriting ? EPOLLOUT.rawValue : 0)
    event.data.u64 = token
    if epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) != 0 {
      epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
    }
  }

  /// Ends the watch, before `descriptor` is closed or after libpq has closed it: a newer watch of the same number
  /// stays.
  func remove(_ token: UInt64, descriptor: Int32) {
    watches.withLock {
      $0.byToken[token] = nil
      guard $0.owners[descriptor] == token else { return }
      $0.owners[descriptor] = nil
      // Within the lock: no other watch of this number can begin before this one has ended.
      var event = epoll_event()
      epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event)
    }
  }

  private func report() {
    let capacity = 64
    let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
    events.initialize(repeating: epoll_event(), count: capacity)
    while true {
      let count = epoll_wait(epoll, events, Int32(capacity), -1)
      guard count > 0 else { continue }
      for place in 0..<Int(count) {
        let token = events[place].data.u64
        guard let watch = watches.withLock({ $0.byToken[token] }) else { continue }
        watch.executor.execute { watch.target.ready() }
      }
    }
  }
}
