import CLibPQ
import LoopExecutor

/// A pipelined libpq connection: sends statements and reads results. Confined to an event loop.
final class Connection {
  private let raw: OpaquePointer
  private let descriptor: Int32
  private let token: UInt64
  private var prepared: [Preparation] = []
  private var parameters = Parameters()
  private var values: [UnsafePointer<CChar>?] = []
  private var lengths: [Int32] = []
  private var formats: [Int32] = []
  private var typeIDs: [Oid] = []
  private enum Armed { case no, forReading, forWriting }
  private var armed = Armed.no

  private enum Preparation {
    case absent
    case sent
    /// Prepared, and the types of its first result compared with its row's.
    case compared
  }

  /// Takes ownership of `new` and watches it for `target`.
  init(_ new: NewConnection, for target: any SocketPollerTarget, on executor: LoopExecutor) {
    raw = new.raw
    descriptor = PQsocket(new.raw)
    token = SocketPoller.shared.add(target, descriptor: descriptor, on: executor)
  }

  var serverVersion: Int { Int(PQserverVersion(raw)) }

  /// Why the connection was lost, in libpq's words.
  var failureMessage: String {
    String(cString: PQerrorMessage(raw)).split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  enum SendOutcome {
    case sent(prepared: Bool)
    /// The parameters cannot be sent; nothing was sent.
    case refused(PostgresError)
    case lost
  }

  /// Adds `call` to the output, its preparation before it where this connection has not prepared its statement.
  func send(_ call: Call, _ handle: StatementHandle) -> SendOutcome {
    parameters.removeAll()
    call.bind(&parameters)
    if let failure = parameters.failure { return .refused(failure) }
    while prepared.count <= handle.index { prepared.append(.absent) }
    let prepares = prepared[handle.index] == .absent
    values.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
    formats.removeAll(keepingCapacity: true)
    typeIDs.removeAll(keepingCapacity: true)
    let sent = parameters.withFields { bytes, fields in
      for field in fields {
        values.append(field.offset < 0 ? nil : bytes + field.offset)
        lengths.append(Int32(truncatingIfNeeded: field.length))
        formats.append(field.isBinary ? 1 : 0)
        if prepares { typeIDs.append(field.typeID) }
      }
      let count = Int32(truncatingIfNeeded: fields.count)
      if prepares, PQsendPrepare(raw, handle.name, handle.sql, count, typeIDs) != 1 { return false }
      return PQsendQueryPrepared(raw, handle.name, count, values, lengths, formats, 1) == 1
    }
    guard sent else { return .lost }
    if prepares { prepared[handle.index] = .sent }
    return .sent(prepared: prepares)
  }

  /// Adds a Sync to the output and begins to write it; false when the connection is lost.
  func sendSync() -> Bool { PQpipelineSync(raw) == 1 }

  func forget(_ statement: Int) {
    if prepared.indices.contains(statement) { prepared[statement] = .absent }
  }

  /// Whether this is the statement's first result on the connection, whose types are still to be compared.
  func comparesTypes(of statement: Int) -> Bool {
    guard prepared.indices.contains(statement), prepared[statement] != .compared else { return false }
    prepared[statement] = .compared
    return true
  }

  /// Writes what the socket takes and waits for it to be readable or writable; false when the connection is lost.
  func flush() -> Bool {
    let pending = PQflush(raw)
    // libpq closes the socket of a connection that failed, and its number may belong to another socket then.
    guard pending >= 0, PQsocket(raw) == descriptor else { return false }
    let wanted = pending == 1 ? Armed.forWriting : .forReading
    if armed == .no || (wanted == .forWriting && armed == .forReading) {
      armed = wanted
      SocketPoller.shared.arm(token, descriptor: descriptor, forWriting: wanted == .forWriting)
    }
    return true
  }

  /// Reads what has arrived; false when the connection is lost, though results received before can still be read.
  func consume() -> Bool {
    armed = .no
    return PQconsumeInput(raw) == 1
  }

  /// The next complete result, which the caller has to clear; `nil` when the rest has not arrived yet.
  func nextResult() -> OpaquePointer? {
    // A single NULL ends each statement's results.
    for _ in 0..<2 where PQisBusy(raw) == 0 {
      if let result = PQgetResult(raw) { return result }
    }
    return nil
  }

  /// Closes the connection. It must not be used afterwards.
  func close() {
    SocketPoller.shared.remove(token, descriptor: descriptor)
    PQfinish(raw)
  }

  /// A handle to cancel the running statement from another thread; `nil` when the connection is lost.
  func cancellation() -> Cancellation? {
    PQgetCancel(raw).map(Cancellation.init)
  }
}

/// A handle to cancel what a connection runs. Usable once, on any thread.
///
/// `@unchecked Sendable`: libpq promises that PQcancel is thread safe; the value is used once.
struct Cancellation: @unchecked Sendable {
  private let raw: OpaquePointer

  init(_ raw: OpaquePointer) { self.raw = raw }

  /// Asks the server to cancel; blocks until it has received the request. A request that comes too late is not an
  /// error.
  func send() {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
      _ = PQcancel(raw, message.baseAddress, 256)
    }
    PQfreeCancel(raw)
  }
}
