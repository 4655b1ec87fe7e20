import ProtobufC

/// A stream may prove who calls by its first message, because Go's client sends no metadata with streams: it begins with that message then, for
/// until then nobody knows whose it is.
extension ServerCall {
  /// Begins the call, unless the message that the request may carry is still to come.
  func begin(authenticatedBy field: UInt32, of payload: UnsafeRawBufferPointer, _ arena: Arena) {
    let isToCome = method.descriptor.kind.clientStreams && payload.isEmpty && !flags.contains(.remoteClosed)
    if !isToCome { authenticate(field, fromFirstMessage: payload, arena) }
  }

  /// Begins the call with its first message, or refuses it.
  func authenticate(_ field: UInt32, fromFirstMessage message: UnsafeRawBufferPointer, _ arena: Arena) {
    awaitedProof = nil
    if let token = Self.text(field, of: message) { context.metadata.append("authorization", "Bearer \(token)") }
    if let refusal = Self.refusal(of: &context, by: connection.interceptors) { return fail(refusal) }
    start(message, arena)
  }

  /// Fields of a first message that are looked through for its token, before anybody knows whose it is: no contract has as many.
  private static let maxFields = 1_000

  /// What a message says in a field, the last time that it does; `nil` when it does not, or is malformed, which its decoder says.
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

extension ProtobufMessage {
  /// The field of a stream's first message that may hold its access token.
  static var tokenField: UInt32? { number(ofText: "access_token") }
}
