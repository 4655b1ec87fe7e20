public import TTRPC
import Testing

/// The status that `call` is refused with.
///
/// - Throws: a failure of the test when the call succeeds; what else it throws.
public func refusal<R>(
  _ call: () async throws -> R, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> Status {
  do { _ = try await call() } catch let status as Status { return status }
  return try #require(nil as Status?, "the call was not refused", sourceLocation: sourceLocation)
}

extension Status {
  /// The reason for a program.
  public var reason: String? { errorInfo?.reason }
  /// The fields at fault, in order.
  public var fields: [String] { badRequest?.fieldViolations.map(\.field) ?? [] }
  /// The reasons of the fields at fault, in order.
  public var fieldReasons: [String] { badRequest?.fieldViolations.map(\.reason) ?? [] }
}
