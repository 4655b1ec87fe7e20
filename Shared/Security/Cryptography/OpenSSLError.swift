import COpenSSL

/// A failure of OpenSSL; for logs, never for a caller.
public struct OpenSSLError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What was being done, e.g. `reading a private key`.
  public let operation: String
  /// OpenSSL's own reasons, the innermost first; may be empty.
  public let reasons: [String]

  /// Takes the reasons out of this thread's error queue, which clears it.
  init(_ operation: String) {
    self.operation = operation
    var reasons: [String] = []
    var buffer = [CChar](repeating: 0, count: 256)
    while case let code = ERR_get_error(), code != 0 {
      ERR_error_string_n(code, &buffer, buffer.count)
      reasons.append(buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" })
    }
    self.reasons = reasons
  }

  /// The operation and the reasons on one line.
  public var description: String {
    reasons.isEmpty ? "\(operation) failed" : "\(operation) failed: \(reasons.joined(separator: "; "))"
  }
}

/// Throws unless `status` is 1, OpenSSL's value for success.
func require(_ status: Int32, _ operation: String) throws(OpenSSLError) {
  guard status == 1 else { throw OpenSSLError(operation) }
}

/// The object that OpenSSL made; throws when there is none.
func require<Object>(_ object: Object?, _ operation: String) throws(OpenSSLError) -> Object {
  guard let object else { throw OpenSSLError(operation) }
  return object
}
