import COpenSSL

/// OpenSSL refused to do what was asked; for logs, never for a caller.
public struct OpenSSLError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What was being done, e.g. `reading a private key`.
  public let operation: String
  /// OpenSSL's own reasons, the innermost first; empty when it gave none.
  public let reasons: [String]

  /// Takes (and so clears) the reasons this thread's error queue holds.
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

  /// One line with everything known.
  public var description: String {
    reasons.isEmpty ? "\(operation) failed" : "\(operation) failed: \(reasons.joined(separator: "; "))"
  }
}

/// Throws unless OpenSSL answered 1, its word for success.
func require(_ status: Int32, _ operation: String) throws(OpenSSLError) {
  guard status == 1 else { throw OpenSSLError(operation) }
}

/// The object OpenSSL made, or its reasons for making none.
func require<Object>(_ object: Object?, _ operation: String) throws(OpenSSLError) -> Object {
  guard let object else { throw OpenSSLError(operation) }
  return object
}
