public import Testing

/// Gives tests a suite of their own, ``TandemSuite/current``.
///
/// On a `@Suite` it is one for all its tests, and as new at the beginning of each; mark it `.serialized` too, for its tests share it. On a
/// test it is that test's. Inside of `tandem test run` it is the suite of that.
public struct TandemSuiteTrait: SuiteTrait, TestTrait, TestScoping {
  let users: [String]

  /// Suites hand it to their tests.
  public var isRecursive: Bool { true }

  public func scopeProvider(for test: Test, testCase: Test.Case?) -> TandemSuiteTrait? {
    test.isSuite || testCase != nil ? self : nil
  }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if let suite = TandemSuite.current {
      if !test.isSuite { try await suite.reset() }
      return try await function()
    }
    let named = try await TandemSuite.ofEnvironment()
    let suite = if let named { named } else { try await TandemSuite.start(users: users) }
    do { try await TandemSuite.$current.withValue(suite) { try await function() } } catch {
      try await suite.stop()
      throw error
    }
    try await suite.stop()
  }
}

extension Trait where Self == TandemSuiteTrait {
  /// A suite for tests with these users, who are verified and have profiles.
  public static func tandemSuite(users: String...) -> Self { TandemSuiteTrait(users: users) }
}
