/// One field of a request that is not as it must be ([C-2]).
public struct FieldViolation: Sendable, Hashable {
  /// The field's path in the request, e.g. `profile.date_of_birth`.
  public let field: String
  /// What to tell the user.
  public let description: String
  /// The same for a program: UPPER_SNAKE.
  public let reason: String

  /// A violation to add to `Violations`.
  public init(field: String, description: String, reason: String) {
    (self.field, self.description, self.reason) = (field, description, reason)
  }
}

/// Every bad field of a request at once ([C-2]).
public struct BadFields: Error, Sendable, Hashable {
  /// The violations in the order they were found; never empty.
  public let violations: [FieldViolation]

  /// What is wrong with a request.
  public init(violations: [FieldViolation]) {
    precondition(!violations.isEmpty, "a request without bad fields is not refused")
    self.violations = violations
  }

  /// A single bad field.
  public init(_ field: String, _ description: String, _ reason: String) {
    self.init(violations: [FieldViolation(field: field, description: description, reason: reason)])
  }
}

/// Collects what is wrong with a request while it is read, so that the answer names all of it.
///
/// ```swift
/// var fields = Violations()
/// let email = fields.require("email", EmailAddress(request.email), EmailAddress.refusal, "EMAIL_INVALID")
/// let name = fields.require("username", Username(request.username), Username.refusal, "USERNAME_INVALID")
/// let (wanted, called) = try fields.all(email, name)
/// ```
public struct Violations: Sendable {
  private var found: [FieldViolation] = []

  /// Nothing wrong so far.
  public init() {}

  /// Whether nothing is wrong so far.
  public var isEmpty: Bool { found.isEmpty }

  /// Notes a bad field.
  public mutating func add(_ field: String, _ description: String, _ reason: String) {
    found.append(FieldViolation(field: field, description: description, reason: reason))
  }

  /// Hands the value through, and notes its field as bad when there is none.
  public mutating func require<Value>(
    _ field: String, _ value: Value?, _ description: String, _ reason: String
  ) -> Value? {
    if value == nil { add(field, description, reason) }
    return value
  }

  /// - Throws: all that was noted, if anything was.
  public func check() throws(BadFields) {
    guard found.isEmpty else { throw BadFields(violations: found) }
  }

  /// The values that `require` handed through.
  ///
  /// It is `mutating` so that nothing can be noted among its arguments, which would come too late: the compiler refuses that.
  ///
  /// - Throws: all that was noted, if anything was.
  public mutating func all<each Value>(_ values: repeat (each Value)?) throws(BadFields) -> (repeat each Value) {
    try check()
    return (repeat Self.unwrapped(each values))
  }

  private static func unwrapped<Value>(_ value: Value?) -> Value {
    guard let value else { preconditionFailure("a value that is missing was not noted by `require`") }
    return value
  }
}
