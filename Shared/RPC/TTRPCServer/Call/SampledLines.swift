import NIOCore

/// Samples log lines that may come by the thousand, by kind: the first few of each kind are written at once, then one
/// now and then, which counts those left out. A state machine without I/O.
///
/// A kind that persists is written less and less often, down to a line a minute, so that many kinds are bearable too.
struct SampledLines<Kind: Hashable> {
  /// The state of one kind.
  private struct Entry {
    /// Lines that are still written at once.
    var free = SampledLines.freeLines
    var pause = SampledLines.shortestPause
    var next = NIODeadline.uptimeNanoseconds(0)
    var lastSeen = NIODeadline.uptimeNanoseconds(0)
    var leftOut = 0
  }

  /// Enough to see what goes wrong for one user who retries.
  private static var freeLines: Int { 5 }
  private static var shortestPause: TimeAmount { .seconds(1) }
  private static var maxPause: TimeAmount { .seconds(64) }
  /// A kind that was quiet for this long, or for its own pause where that is longer, starts afresh.
  private static var quietTime: TimeAmount { .seconds(10) }

  private let capacity: Int
  private var entries: [Kind: Entry] = [:]
  /// The state of all kinds beyond the capacity.
  private var others = Entry()

  /// - Parameter capacity: kinds that are told apart at a time; further ones count as one.
  init(capacity: Int = 1_024) {
    self.capacity = capacity
  }

  /// Whether there is nothing that the passing of time could change.
  var isEmpty: Bool { entries.isEmpty && others.leftOut == 0 }

  /// Decides whether a line is written at `now`.
  ///
  /// - Returns: how many lines were left out before it; `nil` when this one is left out too.
  mutating func admit(_ kind: Kind, at now: NIODeadline) -> Int? {
    guard entries[kind] != nil || entries.count < capacity else { return Self.admit(to: &others, at: now) }
    return Self.admit(to: &entries[kind, default: Entry()], at: now)
  }

  private static func admit(to entry: inout Entry, at now: NIODeadline) -> Int? {
    entry.lastSeen = now
    if entry.free > 0 {
      entry.free -= 1
      entry.next = now + entry.pause
      return 0
    }
    guard now >= entry.next else {
      entry.leftOut += 1
      return nil
    }
    return told(&entry, at: now)
  }

  /// Returns how many lines were left out, and sets the next line's time: later where some were, sooner where none were.
  private static func told(_ entry: inout Entry, at now: NIODeadline) -> Int {
    defer { entry.leftOut = 0 }
    entry.pause =
      entry.leftOut > 0
      ? min(entry.pause * 2, maxPause) : max(.nanoseconds(entry.pause.nanoseconds / 2), shortestPause)
    entry.next = now + entry.pause
    return entry.leftOut
  }

  /// The number of lines left out of one kind.
  struct LeftOut {
    /// `nil` for kinds beyond the capacity.
    let kind: Kind?
    let count: Int
  }

  /// Takes the counts that are due to be reported without another line of their kind, and forgets kinds that have
  /// become quiet.
  mutating func takeDue(at now: NIODeadline) -> [LeftOut] {
    var due: [LeftOut] = []
    for (kind, entry) in entries {
      if entry.leftOut > 0 {
        if now >= entry.next {
          due.append(LeftOut(kind: kind, count: Self.told(&entries[kind, default: entry], at: now)))
        }
      } else if now - entry.lastSeen >= max(entry.pause, Self.quietTime) {
        entries[kind] = nil
      }
    }
    if others.leftOut > 0, now >= others.next { due.append(LeftOut(kind: nil, count: Self.told(&others, at: now))) }
    return due
  }

  /// Takes all counts of lines left out, and forgets every kind.
  mutating func takeAll() -> [LeftOut] {
    defer { self = SampledLines(capacity: capacity) }
    return (entries.map { LeftOut(kind: $0, count: $1.leftOut) } + [LeftOut(kind: nil, count: others.leftOut)])
      .filter { $0.count > 0 }
  }
}
