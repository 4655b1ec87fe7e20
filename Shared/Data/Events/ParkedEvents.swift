import Identifiers
import Postgres
import TandemEvents

/// How many events may wait for others of their keys.
public struct ParkingLimits: Sendable {
  /// Attempts at an event before others pass it by; everything waits meanwhile, about half a second in all.
  public var attemptsBefore = 5
  /// Events of one key.
  public var eventsOfKey: Int64 = 1_000
  /// Events of one consumer. Beyond this, as beyond the other, its position stays where it is, and the producer keeps what comes.
  public var events: Int64 = 10_000
  /// Between two looks whether a parked event is due.
  public var look = Duration.seconds(2)
  /// Before the first attempt at a parked event; each further one comes after twice as long.
  public var shortestWait = Duration.seconds(1)
  /// The longest of those times.
  public var maxWait = Duration.seconds(300)

  /// What suits services.
  public init() {}

  /// How long to wait after so many attempts in all.
  func wait(after attempts: Int32) -> Duration {
    let doublings = min(max(Int(attempts) - attemptsBefore, 0), 20)
    return min(shortestWait * (1 << doublings), maxWait)
  }
}

/// Why an event cannot be put aside.
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

  /// The text as PostgreSQL can store it. No log has other texts; a producer that is broken must not break this.
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

/// How many events of a line are parked.
struct ParkedLine: RowDecodable {
  let line: EventLine
  let count: Int64

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ParkedLine {
    let line = EventLine(topic: try row.next(), key: try row.next())
    return ParkedLine(line: line, count: try row.next())
  }
}

/// Those of some lines of which events are parked and not skipped.
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

  /// The longest event that is kept, in bytes: twice what a log has.
  static let longest = 131_072

  /// - Throws: for one that is too long.
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

/// The parked event that is due, if one is: the first of its line.
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

/// A parked event, locked against operators until the transaction ends; no row where one had it skipped meanwhile.
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

/// Forgets a parked event that has taken effect.
struct DeleteParkedEvent: Statement {
  typealias Row = Void
  static let sql = "delete from parked_events where id = $1"
  let id: UUID7

  func bind(_ p: inout Parameters) { p.append(id) }
}

/// Forgets all parked events of a consumer that was resynced, where what they told is part of what it was given; gives how many there were.
struct DeleteParkedEvents: Statement {
  typealias Row = Int64
  static let sql = """
    with gone as (delete from parked_events where producer = $1 and consumer = $2 returning id)
    select count(*) from gone
    """
  let key: CursorKey

  func bind(_ p: inout Parameters) { key.bind(&p) }
}

/// Notes that another attempt failed, unless another replica has noted one meanwhile.
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
