import NIOCore
import Synchronization

/// On whose behalf something runs: what is shared among many is shared by owner.
public struct WorkOwner: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A user, or the address of one that has not logged in.
    case client
    /// Another service of the suite, which calls for all of its clients.
    case service
    /// Work of the process itself: jobs, the application of events.
    case background
  }

  public let kind: Kind
  /// For logs, and unique among owners of all kinds.
  public let name: String

  public init(_ kind: Kind, _ name: String) {
    self.kind = kind
    self.name = name
  }

  /// The owner of what the task does, where that is not the call that runs on this thread's loop.
  @TaskLocal public static var ofTask: WorkOwner?

  /// The owner of what runs now: of the task, or of the call on this thread's loop; `nil` for work of no one in
  /// particular.
  public static var current: WorkOwner? { ofTask ?? LoopExecutor.current?.owner }
}

/// An owner as another thread can read it while the loop that runs its work hangs: without a reference that could end
/// meanwhile.
public final class WorkMark: Sendable {
  public let owner: WorkOwner
  let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  public init(_ owner: WorkOwner) {
    self.owner = owner
    var bytes = Array(owner.name.utf8.prefix(48))
    bytes += [UInt8](repeating: 0, count: 48 - bytes.count)
    words = bytes.withUnsafeBytes { bytes in
      func word(_ place: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self) }
      return (word(0), word(1), word(2), word(3), word(4), word(5))
    }
  }
}

/// A task executor whose jobs run on an event loop and are known by what they belong to.
public protocol LoopWork: TaskExecutor {
  /// Its owner; `nil` for none in particular.
  var mark: WorkMark? { get }
  /// The number of what it is, such as a method; 0 for nothing that has a name.
  var number: Int { get }
}

/// What an event loop does and how long it takes for it, for other threads.
public final class LoopTurns: Sendable {
  /// A piece of work that kept its loop for long.
  public struct LongTurn: Sendable {
    public let duration: Duration
    /// The number of what ran last in it; see ``LoopWork/number``.
    public let number: Int
    public let owner: WorkOwner?
  }

  private let number = Atomic(0)
  private let first = Atomic<UInt64>(0)
  private let second = Atomic<UInt64>(0)
  private let third = Atomic<UInt64>(0)
  private let fourth = Atomic<UInt64>(0)
  private let fifth = Atomic<UInt64>(0)
  private let sixth = Atomic<UInt64>(0)
  private let longest = Atomic<Int64>(0)
  private let report = Mutex<(limit: Duration, act: @Sendable (LongTurn) -> Void)?>(nil)
  private let reportedFrom = Atomic<Int64>(.max)

  /// Calls `act` on the loop after each piece of work that took longer than `limit`.
  public func whenLonger(than limit: Duration, _ act: @escaping @Sendable (LongTurn) -> Void) {
    report.withLock { $0 = (limit, act) }
    reportedFrom.store(TimeAmount(limit).nanoseconds, ordering: .relaxed)
  }

  /// The longest piece of work since the last call of this.
  public func takeLongest() -> Duration { .nanoseconds(longest.exchange(0, ordering: .relaxed)) }

  /// What runs now: its number and its owner's name. While the loop works on, the two may belong to different things.
  public var current: (number: Int, owner: String)? {
    let number = number.load(ordering: .relaxed)
    guard number != 0 else { return nil }
    var text: [UInt8] = []
    for word in [
      first.load(ordering: .relaxed), second.load(ordering: .relaxed), third.load(ordering: .relaxed),
      fourth.load(ordering: .relaxed), fifth.load(ordering: .relaxed), sixth.load(ordering: .relaxed),
    ] {
      withUnsafeBytes(of: word) { text.append(contentsOf: $0) }
    }
    return (number, String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
  }

  /// On the loop.
  func runs(_ number: Int) { self.number.store(number, ordering: .relaxed) }

  /// On the loop.
  func belongs(to mark: WorkMark?) {
    let new = mark?.words ?? (0, 0, 0, 0, 0, 0)
    first.store(new.0, ordering: .relaxed)
    second.store(new.1, ordering: .relaxed)
    third.store(new.2, ordering: .relaxed)
    fourth.store(new.3, ordering: .relaxed)
    fifth.store(new.4, ordering: .relaxed)
    sixth.store(new.5, ordering: .relaxed)
  }

  /// Notes that a piece of work took `time`. On the loop.
  @inline(__always)
  func note(_ time: TimeAmount, _ number: Int, _ mark: WorkMark?) {
    guard time.nanoseconds > longest.load(ordering: .relaxed) else { return }
    noteLonger(time, number, mark)
  }

  private func noteLonger(_ time: TimeAmount, _ number: Int, _ mark: WorkMark?) {
    longest.store(time.nanoseconds, ordering: .relaxed)
    guard time.nanoseconds > reportedFrom.load(ordering: .relaxed) else { return }
    let act = report.withLock { $0?.act }
    act?(LongTurn(duration: .nanoseconds(time.nanoseconds), number: number, owner: mark?.owner))
  }
}
