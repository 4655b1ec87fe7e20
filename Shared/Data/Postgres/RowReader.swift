import CLibPQ

/// Why a row could not be decoded.
public struct ColumnError: Error, Sendable, CustomStringConvertible {
  /// What is wrong, for logs.
  public let description: String

  /// - Parameter description: for logs.
  public init(_ description: String) { self.description = description }
}

/// One row of a result, read in place, column by column in order.
public struct RowReader: ~Copyable {
  let result: OpaquePointer
  let row: Int32
  /// Whether the columns' types are compared too; done for the first row of a statement on a connection.
  let comparesTypes: Bool
  /// The next column; outside, so that a row can be read while it is borrowed.
  let cursor: UnsafeMutablePointer<Int32>

  /// The next column, which must not be null.
  public func next<Value: ColumnValue>(as type: Value.Type = Value.self) throws(ColumnError) -> Value {
    let column = try advance(type)
    guard PQgetisnull(result, row, column) == 0 else { throw ColumnError("column \(name(column)) is null") }
    return try read(column)
  }

  /// The next column; `nil` when it is null.
  public func next<Value: ColumnValue>(as type: Value?.Type = Value?.self) throws(ColumnError) -> Value? {
    let column = try advance(Value.self)
    guard PQgetisnull(result, row, column) == 0 else { return nil }
    return try read(column)
  }

  private func advance<Value: ColumnValue>(_ type: Value.Type) throws(ColumnError) -> Int32 {
    let column = cursor.pointee
    cursor.pointee = column + 1
    guard column < PQnfields(result) else { throw ColumnError("the result has only \(column) columns") }
    if comparesTypes {
      let typeID = PQftype(result, column)
      guard Value.reads(typeID: typeID) else {
        throw ColumnError("column \(name(column)) has type \(typeID), which cannot be read as \(Value.self)")
      }
    }
    return column
  }

  private func read<Value: ColumnValue>(_ column: Int32) throws(ColumnError) -> Value {
    var bytes = UnsafeRawBufferPointer(
      start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    // jsonb is its text behind a version number.
    if Value.typeID == 0, PQftype(result, column) == 3802 {
      bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    }
    guard let value = Value.read(bytes) else {
      throw ColumnError("column \(name(column)) cannot be read as \(Value.self)")
    }
    return value
  }

  private func name(_ column: Int32) -> String {
    PQfname(result, column).map { String(cString: $0) } ?? "\(column + 1)"
  }
}
