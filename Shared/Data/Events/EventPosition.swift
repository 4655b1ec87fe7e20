public import Postgres
import TandemEvents

/// A place in a service's log of events: everything before it is settled, so a reader who continues after it misses
/// nothing.
public struct EventPosition: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The transaction that wrote the event, as numbered by the producer's database.
  public let transactionID: TransactionID
  /// The event's number, which orders events of one transaction.
  public let id: Int64

  /// Before every event.
  public static let beginning = EventPosition(transactionID: .zero, id: 0)

  public init(transactionID: TransactionID, id: Int64) {
    self.transactionID = transactionID
    self.id = id
  }

  /// Before every event of `transactionID`: ids begin with 1.
  static func before(_ transactionID: TransactionID) -> EventPosition {
    EventPosition(transactionID: transactionID, id: 0)
  }

  public static func < (first: EventPosition, second: EventPosition) -> Bool {
    (first.transactionID, first.id) < (second.transactionID, second.id)
  }

  /// `transaction/id`, for logs.
  public var description: String { "\(transactionID.value)/\(id)" }
}

extension EventPosition {
  init(_ wire: Position) { self.init(transactionID: TransactionID(value: wire.transactionID), id: wire.id) }

  var wire: Position { Position(transactionID: transactionID.value, id: id) }

  init(_ columns: PositionColumns) { self.init(transactionID: columns.transactionID, id: columns.id) }

  init(_ columns: RemovalColumns) { self.init(transactionID: columns.transactionID, id: columns.id) }
}

/// `xid8`: the number of a transaction, which does not wrap.
public struct TransactionID: ColumnValue, Hashable, Comparable {
  public let value: UInt64

  static let zero = TransactionID(value: 0)

  public static func < (first: TransactionID, second: TransactionID) -> Bool { first.value < second.value }

  public static var typeID: UInt32 { 5069 }
  public static var arrayTypeID: UInt32 { 271 }
  public func write(to buffer: inout ParameterBytes) { buffer.append(value) }
  public static func read(_ bytes: UnsafeRawBufferPointer) -> TransactionID? {
    guard bytes.count == 8 else { return nil }
    return TransactionID(value: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
  }
}

// MARK: Statements

extension LogBounds {
  init(position: EventPosition) { self.init(transactionID: position.transactionID, id: position.id) }
}

extension NoteTold {
  init(position: EventPosition) { self.init(transactionID: position.transactionID, id: position.id) }
}

extension PutConsumer {
  init(consumer: String, position: EventPosition) {
    self.init(consumer: consumer, transactionID: position.transactionID, id: position.id)
  }
}

extension NoteConsumer {
  init(consumer: String, position: EventPosition) {
    self.init(consumer: consumer, transactionID: position.transactionID, id: position.id)
  }
}
