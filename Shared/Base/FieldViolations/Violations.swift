/// A field of a request that is invalid ([C-2]).
public struct FieldViolation: Sendable, Hashable {
  /// The field's path in the request, e.g. `profile.date_of_birth`.
  public let field: String
  /// The message for the user.
  public let description: String
  /// The reason for a program, in UPPER_SNAKE.
  public let reason: String
  /// The part of the field's rule that the value fails, where the rule has several.
  public let part: Part?

  /// A part of a field's rule.
  public struct Part: Sendable, Hashable {
    /// For a program, in UPPER_SNAKE.
    public let name: String
    /// For the user: what follows the description and a colon.
    public let text: String

    public init(name: String, text: String) { (self.name, self.text) = (name, text) }
  }

  public init(field: String, description: String, reason: String, part: Part? = nil) {
    (self.field, self.description, self.reason, self.part) = (field, description, reason, part)
  }
}

/// Every invalid field of a request at once ([C-2]).
public struct BadFields: Error, Sendable, Hashable {
  /// The violations in the order they were found; never empty.
  public let violations: [FieldViolation]

  public init(violations: [FieldViolation]) {
    precondition(!violations.isEmpty, "a request without bad fields is not refused")
    self.violations = violations
  }

  /// One invalid field.
  public init(_ field: String, _ description: String, _ reason: String) {
    self.init(violations: [FieldViolation(field: field, description: description, reason: reason)])
  }

  /// One invalid field, by a reason of the contract.
  public init(_ field: String, _ description: String, _ reason: some RawRepresentable<String>) {
    self.init(field, description, reason.rawValue)
  }
}

/// Collects what is wrong with a request while it is read, so that the response names all of it.
///
/// ```swift
/// var fields = Violations()
/// let email = fields.require("email", EmailAddress(request.email), EmailAddress.refusal, IdentityReason.emailInvalid)
/// let name = fields.require("username", Username(request.username), Username.refusal, IdentityReason.usernameInvalid)
/// let (wanted, called) = try fields.all(email, name)
/// ```
public struct Violations: Sendable {
  /// What was found wrong with the task's request before its handler ran: such a request is refused, and the handler
  /// runs only to find what else is wrong ([C-2]). All ``Violations`` begin with these.
  @TaskLocal public static var decoded: [FieldViolation] = []

  private var found: [FieldViolation]

  public init() { found = Self.decoded }

  /// Whether no violation was added so far.
  public var isEmpty: Bool { found.isEmpty }

  /// Adds a violation, unless the decoder found one of the same field, whose value the handler does not see.
  public mutating func add(_ violation: FieldViolation) {
    let isKnown = Self.decoded.contains {
      $0.field == violation.field || $0.field.hasPrefix("\(violation.field)[")
    }
    if !isKnown { found.append(violation) }
  }

  /// Refuses to go on with a request that the decoder found something wrong with: before every effect that a handler
  /// may have.
  ///
  /// - Throws: what the decoder found.
  public static func requireNoneDecoded() throws(BadFields) {
    let decoded = Self.decoded
    if !decoded.isEmpty { throw BadFields(violations: decoded) }
  }

  /// Adds a violation.
  public mutating func add(_ field: String, _ description: String, _ reason: String) {
    add(FieldViolation(field: field, description: description, reason: reason))
  }

  /// Passes the value through; where it is `nil`, adds a violation for its field.
  public mutating func require<Value>(
    _ field: String, _ value: Value?, _ description: String, _ reason: String
  ) -> Value? {
    if value == nil { add(field, description, reason) }
    return value
  }

  /// Adds a violation, by a reason of the contract.
  public mutating func add(_ field: String, _ description: String, _ reason: some RawRepresentable<String>) {
    add(field, description, reason.rawValue)
  }

  /// Passes the value through; where it is `nil`, adds a violation for its field, by a reason of the contract.
  public mutating func require<Value>(
    _ field: String, _ value: Value?, _ description: String, _ reason: some RawRepresentable<String>
  ) -> Value? {
    require(field, value, description, reason.rawValue)
  }

  /// - Throws: all violations that were added, if there are any.
  public func check() throws(BadFields) {
    guard found.isEmpty else { throw BadFields(violations: found) }
  }

  /// The values that `require` passed through.
  ///
  /// It is `mutating` so that no violation can be added among its arguments, which would come too late: the compiler
  /// refuses that.
  ///
  /// - Throws: all violations that were added, if there are any.
  public mutating func all<each Value>(_ values: repeat (each Value)?) throws(BadFields) -> (repeat each Value) {
    try check()
    return (repeat Self.unwrapped(each values))
  }

  private static func unwrapped<Value>(_ value: Value?) -> Value {
    guard let value else { preconditionFailure("a value that is missing was not noted by `require`") }
    return value
  }
}
