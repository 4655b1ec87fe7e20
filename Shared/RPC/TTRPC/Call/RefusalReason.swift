/// A reason of a contract's refusals: the contract says with which status code.
public protocol RefusalReason: RawRepresentable<String>, Sendable {
  var code: Code { get }
}

extension Status {
  /// A refusal that a program can identify by its reason, with the code that the contract says.
  ///
  /// - Parameters:
  ///   - metadata: facts to act on, such as the end of a suspension.
  ///   - retryAfter: for a refusal that a later retry can overcome: how long to wait first.
  public init(
    _ reason: some RefusalReason, _ message: String, metadata: [String: String] = [:], retryAfter: Duration? = nil
  ) {
    self.init(reason.code, reason: reason.rawValue, message, metadata: metadata, retryAfter: retryAfter)
  }

  /// The same with another code, for a reason that methods refuse with several.
  public init(_ code: Code, _ reason: some RefusalReason, _ message: String) {
    self.init(code, reason: reason.rawValue, message)
  }
}
