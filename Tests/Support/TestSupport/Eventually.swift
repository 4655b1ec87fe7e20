import Testing

/// How long a test waits for what others bring about: longer than any machine needs, for a test that fails may take its time.
private let timeout = Duration.seconds(60)

/// Looks until there is something to find, for a minute at most.
///
/// - Throws: what `look` throws; a failure of the test that says `what` did not happen.
@discardableResult
public func eventually<Found>(
  _ what: String, _ look: () async throws -> Found?, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> Found {
  let end = ContinuousClock.now + timeout
  while ContinuousClock.now < end {
    if let found = try await look() { return found }
    // What is looked at tells nobody of its change; a little between two looks leaves the processor to whoever brings it about.
    try await Task.sleep(for: .milliseconds(2))
  }
  return try #require(nil as Found?, "in a minute it did not happen that \(what)", sourceLocation: sourceLocation)
}

/// Looks until `condition` is true, for a minute at most; says whether it became so.
public func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
  let end = ContinuousClock.now + timeout
  while ContinuousClock.now < end {
    if try await condition() { return true }
    // What is looked at tells nobody of its change; a little between two looks leaves the processor to whoever brings it about.
    try await Task.sleep(for: .milliseconds(2))
  }
  return false
}

/// Looks until `condition` is true, for a minute at most.
///
/// - Throws: what `condition` throws; a failure of the test that says `what` did not happen.
public func until(
  _ what: String, _ condition: () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  try await eventually(what, { try await condition() ? true : nil }, sourceLocation: sourceLocation)
}
