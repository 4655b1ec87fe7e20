public import Postgres
import TandemEvents

/// A place in a service's log of events: everything before it is settled, so a reader who continues after it misses
/// nothing.
public struct EventPosition: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The transaction that wrote the event, as numbered by the producer's database.
  public let transactionID: UInt64
  /// The event's number, which orders events of one transaction.
  public let id: Int64

  /// Before every event.
  public static let beginning = EventPosition(transactionID: 0, id: 0)

  public init(transactionID: UInt64, id: Int64) {
    self.transactionID = transactionID
    self.id = id
  }

  /// Before every event of `transactionID`: ids begin with 1.
  static func before(_ transactionID: UInt64) -> EventPosition { EventPosition(transactionID: transactionID, id: 0) }

  public static func < (first: EventPosition, second: EventPosition) -> Bool {
    (first.transactionID, first.id) < (second.transactionID, second.id)
  }

  /// `transaction/id`, for logs.
  public var description: String { "\(transactionID)/\(id)" }
}

extension EventPosition {
  init(_ wire: Position) { self.init(transactionID: wire.transactionID, id: wire.id) }

  var wire: Position { Position(transactionID: transactionID, id: id) }

  /// Appends both parts, an `xid8` and a `bigint`.
  public func bind(_ p: inout Parameters) {
    p.append(TransactionID(value: transactionID))
    p.append(id)
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> EventPosition {
    let transactionID: TransactionID = try row.next()
    return EventPosition(transactionID: transactionID.value, id: try row.next())
  }
}

/// `xid8`: the number of a transaction, which does not wrap.
struct TransactionID: ColumnValue {
  let value: UInt64

  static var typeID: UInt32 { 5069 }
  static var arrayTypeID: UInt32 { 271 }
  func write(to buffer: inout ParameterBytes) { buffer.append(value) }
  static func read(_ bytes: UnsafeRawBufferPointer) -> TransactionID? {
    guard bytes.count == 8 else { return nil }
    return TransactionID(value: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
  }
}
