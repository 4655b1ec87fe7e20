import ProtobufC

/// A stream may authenticate its caller by its first message, because Go's client sends no metadata with streams. The
/// call then begins with that message, as its caller is unknown before.
extension ServerCall {
  /// Begins the call, unless the first message is still to come because the request does not carry it.
  func begin(authenticatedBy field: UInt32, of payload: UnsafeRawBufferPointer, _ arena: Arena) {
    let isToCome = method.descriptor.kind.clientStreams && payload.isEmpty && !flags.contains(.remoteClosed)
    if !isToCome { authenticate(field, fromFirstMessage: payload, arena) }
  }

  /// Begins the call with its first message, or refuses it.
  func authenticate(_ field: UInt32, fromFirstMessage message: UnsafeRawBufferPointer, _ arena: Arena) {
    life.tokenCame()
    if let token = Self.text(field, of: message) { context.metadata.append("authorization", "Bearer \(token)") }
    if let refusal = Self.refusal(of: &context, by: connection.interceptors) { return fail(refusal) }
    start(message, arena)
  }

  /// Fields of a first message that are scanned for its token, before its caller is known: no contract has as many.
  private static let maxFields = 1_000

  /// The last value of a text field in a message; `nil` when it has none, or is malformed, which its decoder reports.
  private static func text(_ number: UInt32, of message: UnsafeRawBufferPointer) -> String? {
    var (reader, found) = (WireReader(message), UnsafeRawBufferPointer?.none)
    do {
      for _ in 0..<maxFields {
        guard let field = try reader.next() else { break }
        if field.number == number, case .delimited(let text) = field.content { found = text }
      }
    } catch { return nil }
    return found.flatMap { String(utf8: $0) }
  }
}
