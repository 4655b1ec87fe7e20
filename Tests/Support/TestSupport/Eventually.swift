import Testing

/// How long a test waits for asynchronous effects: longer than any machine needs, as only a failing test takes that long.
@usableFromInline let maxWait = Duration.seconds(120)

/// Polls until `look` returns a value.
///
/// - Parameters:
///   - limit: how long at most: two minutes by default.
///   - pause: between two looks.
/// - Throws: errors of `look`; a failure of the test that says `what` did not happen.
@discardableResult
public func eventually<Found>(
  _ what: String, within limit: Duration = maxWait, every pause: Duration = .milliseconds(2),
  _ look: () async throws -> Found?, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> Found {
  let end = ContinuousClock.now + limit
  while ContinuousClock.now < end {
    if let found = try await look() { return found }
    // There is no notification of the change, so it polls; the pause leaves the processor to the code that makes the change.
    try await Task.sleep(for: pause)
  }
  return try #require(nil as Found?, "within \(limit) it did not happen that \(what)", sourceLocation: sourceLocation)
}

/// Polls until `condition` is true, for two minutes at most; returns whether it became true.
public func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
  let end = ContinuousClock.now + maxWait
  while ContinuousClock.now < end {
    if try await condition() { return true }
    // There is no notification of the change, so it polls; the pause leaves the processor to the code that makes the change.
    try await Task.sleep(for: .milliseconds(2))
  }
  return false
}

/// Polls until `condition` is true, for two minutes at most.
///
/// - Throws: errors of `condition`; a failure of the test that says `what` did not happen.
public func until(
  _ what: String, _ condition: () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  try await eventually(what, { try await condition() ? true : nil }, sourceLocation: sourceLocation)
}
