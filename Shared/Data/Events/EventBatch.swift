import TandemEvents

/// Events that are applied in one transaction, in groups of one type.
///
/// Types may change places, events of one topic and key never do: each event is in the group of its type that comes
/// last, unless an event of its key is in a later group; then it begins a new one.
struct EventBatch {
  /// Events of one type in their order.
  struct Group {
    let type: String
    fileprivate(set) var events: [Event]
  }

  private(set) var groups: [Group] = []

  init(_ events: [Event]) {
    var lastOfType: [String: Int] = [:]
    var lastOfLine: [EventLine: Int] = [:]
    for event in events {
      let line = EventLine(event)
      var place = groups.count
      if let last = lastOfType[event.type], last >= lastOfLine[line] ?? 0 {
        place = last
        groups[place].events.append(event)
      } else {
        groups.append(Group(type: event.type, events: [event]))
      }
      lastOfType[event.type] = place
      lastOfLine[line] = place
    }
  }
}

/// How many events are applied in one transaction: fewer while they take long, as others wait for the rows that it has
/// locked.
struct BatchSize {
  /// Above the page of a log, so that what arrives together is applied together.
  private static let maxCount = 1_000
  /// About what a call that waits for a row may be held up.
  private static let maxDuration = Duration.milliseconds(250)

  /// Fewer than the count and than this do not tell that the count is too high: they are slow for another reason.
  private static let few = 50

  private(set) var count = Self.maxCount
  /// What the count was made half of, and how long so many events took.
  private var halved: (count: Int, took: Duration)?

  /// Adapts to how long a transaction with so many events took.
  mutating func adapt(to took: Duration, for events: Int) {
    if took > Self.maxDuration {
      if events >= min(count, Self.few) { shrink(after: took, for: min(events, count)) }
    } else {
      halved = nil
      if events >= count { count = min(count * 2, Self.maxCount) }
    }
  }

  /// Makes the count half of `events`, unless it was halved before and they took about as long as all: then the database is slow, and smaller
  /// transactions would only be more.
  private mutating func shrink(after took: Duration, for events: Int) {
    if let last = halved, took * 4 > last.took * 3 {
      (count, halved) = (last.count, nil)
    } else {
      (count, halved) = (max(1, events / 2), (events, took))
    }
  }
}
