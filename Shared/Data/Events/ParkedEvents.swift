import Identifiers
import Postgres
import TandemEvents

/// How events that fail are parked, and how many at most.
public struct ParkingLimits: Sendable {
  /// Attempts at an event before it is parked; all other events wait meanwhile, about half a second in all.
  public var attemptsBefore = 5
  /// Parked events of one key.
  public var eventsOfKey: Int64 = 1_000
  /// Parked events of one consumer. At this limit, as at the one of a key, the position stays where it is, and the
  /// producer keeps later events.
  public var events: Int64 = 10_000
  /// Between two checks whether a parked event is due.
  public var look = Duration.seconds(2)
  /// Before the first attempt at a parked event; each further wait is twice as long.
  public var shortestWait = Duration.seconds(1)
  /// The longest of these waits.
  public var maxWait = Duration.seconds(300)

  public init() {}

  /// How long to wait after `attempts` attempts in all.
  func wait(after attempts: Int32) -> Duration {
    let doublings = min(max(Int(attempts) - attemptsBefore, 0), 20)
    return min(shortestWait * (1 << doublings), maxWait)
  }
}

/// Why an event cannot be parked.
struct ParkingRefusal: Error, CustomStringConvertible {
  let description: String

  static let full = ParkingRefusal(description: "too many events wait already for others of their keys")
  static let tooLong = ParkingRefusal(description: "it is too long to be kept")
}

/// A topic and a key: the events of one are applied in order.
struct EventLine: Hashable, Sendable {
  let topic: String
  let key: String

  init(_ event: Event) {
    (topic, key) = (Self.storable(event.topic), Self.storable(event.key))
  }

  init(topic: String, key: String) { (self.topic, self.key) = (topic, key) }

  /// The longest text that is stored of an event, in bytes.
  private static let longest = 200

  /// The text as PostgreSQL can store it. No correct log has other texts; a broken producer must not break this
  /// consumer.
  static func storable(_ text: String) -> String {
    if text.utf8.count <= longest, !text.utf8.contains(0) { return text }
    var bytes = 0
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }.prefix { scalar in
          bytes += UTF8.width(scalar)
          return bytes <= longest
        }))
  }
}

/// The number of parked events of a line.
struct ParkedLine: RowDecodable {
  let line: EventLine
  let count: Int64

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ParkedLine {
    let line = EventLine(topic: try row.next(), key: try row.next())
    return ParkedLine(line: line, count: try row.next())
  }
}

/// The lines among some that have parked events which are not skipped.
struct ParkedLines: Statement {
  typealias Row = ParkedLine
  static let sql = """
    select topic, key, count(*) from parked_events
    where producer = $1 and consumer = $2 and skipped_at is null
      and (topic, key) in (select wanted.topic, wanted.key from unnest($3::text[], $4::text[]) as wanted (topic, key))
    group by topic, key
    """
  let key: CursorKey
  let lines: [EventLine]

  func bind(_ p: inout Parameters) {
    key.bind(&p)
    p.append(lines.map(\.topic))
    p.append(lines.map(\.key))
  }
}

/// Parks events behind others of their lines, or one that failed.
struct ParkEvents: Statement {
  typealias Row = Void
  static let sql = """
    insert into parked_events (
      producer, consumer, topic, key, transaction_id, event_id, type, event, attempts, last_failure, due_at
    )
    select
      $1, $2, parked.topic, parked.key, parked.transaction_id, parked.event_id, parked.type, parked.event, $9,
      left($10::text, 500), now() + $11 * interval '1 microsecond'
    from unnest($3::text[], $4::text[], $5::xid8[], $6::bigint[], $7::text[], $8::bytea[])
      as parked (topic, key, transaction_id, event_id, type, event)
    on conflict on constraint parked_events_position_key do nothing
    """
  let key: CursorKey
  let events: [Event]
  var attempts: Int32 = 0
  var failure: String?
  var wait = Duration.zero

  /// The longest event that is stored, in bytes: twice the limit of a log.
  static let longest = 131_072

  /// - Throws: for an event that is too long.
  init(_ events: [Event], of key: CursorKey) throws(ParkingRefusal) {
    self.key = key
    self.events = events
    guard events.allSatisfy({ $0.serialized().count <= Self.longest }) else { throw .tooLong }
  }

  func bind(_ p: inout Parameters) {
    let lines = events.map { EventLine($0) }
    key.bind(&p)
    p.append(lines.map(\.topic))
    p.append(lines.map(\.key))
    p.append(events.map { TransactionID(value: $0.place.transactionID) })
    p.append(events.map(\.place.id))
    p.append(events.map { EventLine.storable($0.type) })
    p.append(events.map { $0.serialized() })
    p.append(attempts)
    p.append(failure.map(EventLine.withoutZeros))
    p.append(wait.wholeMicroseconds)
  }
}

extension EventLine {
  /// A text that PostgreSQL can store, of any length.
  static func withoutZeros(_ text: String) -> String {
    text.utf8.contains(0) ? String(text.map { $0 == "\0" ? "\u{FFFD}" : $0 }) : text
  }
}

/// The next parked event that is due, the first of its line; no row when none is.
struct DueParkedEvent: Statement {
  typealias Row = UUID7
  static let sql = """
    select first.id from (
      select distinct on (topic, key) id, due_at from parked_events
      where producer = $1 and consumer = $2 and skipped_at is null
      order by topic, key, transaction_id, event_id
    ) as first
    where first.due_at <= now() order by first.due_at limit 1
    """
  let key: CursorKey

  func bind(_ p: inout Parameters) { key.bind(&p) }
}

/// A parked event, locked against operators until the transaction ends; no row where it was skipped meanwhile.
struct LockedParkedEvent: Statement {
  struct Row: Sendable {
    let event: [UInt8]
    let attempts: Int32
  }

  static let sql = "select event, attempts from parked_events where id = $1 and skipped_at is null for update"
  let id: UUID7

  func bind(_ p: inout Parameters) { p.append(id) }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(event: try row.next(), attempts: try row.next())
  }
}

/// Removes a parked event that has taken effect.
struct DeleteParkedEvent: Statement {
  typealias Row = Void
  static let sql = "delete from parked_events where id = $1"
  let id: UUID7

  func bind(_ p: inout Parameters) { p.append(id) }
}

/// Removes all parked events of a consumer that was resynced, where the resync restored their effects; returns how many
/// there were.
struct DeleteParkedEvents: Statement {
  typealias Row = Int64
  static let sql = """
    with gone as (delete from parked_events where producer = $1 and consumer = $2 returning id)
    select count(*) from gone
    """
  let key: CursorKey

  func bind(_ p: inout Parameters) { key.bind(&p) }
}

/// Records another failed attempt, unless another replica has recorded one meanwhile.
struct NoteParkedFailure: Statement {
  typealias Row = Void
  static let sql = """
    update parked_events
    set attempts = attempts + 1, last_failure = left($3::text, 500), due_at = now() + $4 * interval '1 microsecond'
    where id = $1 and attempts = $2 and skipped_at is null
    """
  let id: UUID7
  let attempts: Int32
  let failure: String
  let wait: Duration

  func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(attempts)
    p.append(EventLine.withoutZeros(failure))
    p.append(wait.wholeMicroseconds)
  }
}

/// How many events of a consumer are parked.
struct CountParkedEvents: Statement {
  struct Row: Sendable {
    let waiting: Int64
    let skipped: Int64
  }

  static let sql = """
    select count(*) filter (where skipped_at is null), count(*) filter (where skipped_at is not null)
    from parked_events where producer = $1 and consumer = $2
    """
  let key: CursorKey

  func bind(_ p: inout Parameters) { key.bind(&p) }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(waiting: try row.next(), skipped: try row.next())
  }
}
