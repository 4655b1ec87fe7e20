public import TTRPC
import Testing

/// The status with which `call` is refused.
///
/// - Throws: a failure of the test if the call succeeds; errors other than a status.
public func refusal<R>(
  _ call: () async throws -> R, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> Status {
  do { _ = try await call() } catch let status as Status { return status }
  return try #require(nil as Status?, "the call was not refused", sourceLocation: sourceLocation)
}

extension Status {
  /// The machine-readable reason.
  public var reason: String? { errorInfo?.reason }
  /// The invalid fields, in order.
  public var fields: [String] { badRequest?.fieldViolations.map(\.field) ?? [] }
  /// The reasons of the invalid fields, in order.
  public var fieldReasons: [String] { badRequest?.fieldViolations.map(\.reason) ?? [] }
}
