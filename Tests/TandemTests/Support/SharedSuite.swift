import Glibc
import TestSupport
import Testing

@testable import tandem

/// A suite that all tests of a `@Suite` share: it was started, walked through its tour, stopped, and started again.
struct SharedSuite: Sendable {
  let place: SuitePlace
  /// What the first start said until the suite was up.
  let firstStart: String
  /// What the second one said.
  let secondStart: String
  /// What the tour wrote.
  let tour: String
  /// The process that the commands of tests are about.
  let pid: Int32

  @TaskLocal static var current: SharedSuite?

  /// The first username of the tour that begins so.
  func user(_ beginning: String) throws -> String {
    let start = try #require(tour.firstRange(of: beginning)).lowerBound
    return String(tour[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }
}

/// Starts the suite once for all tests of a `@Suite`, and stops it after them.
struct SharesSuite: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let threads: OwnThreads = .ownThreads
    try await threads.provideScope(for: test, testCase: testCase) {
      let (suite, shared) = try Self.start()
      do { try await SharedSuite.$current.withValue(shared) { try await function() } } catch {
        suite.signal(SIGINT)
        throw error
      }
      shared.place.stop(suite)
    }
  }

  private static func start() throws -> (Command, SharedSuite) {
    let place = try SuitePlace()
    let first = try place.up()
    let firstStart = first.errorsSoFar
    let tour = try SuiteTurns.take { try place.run(["tour"]) }
    try #require(tour.status == 0, "\(tour.output)\(tour.errors)")
    place.stop(first)
    let second = try place.up()
    let shared = SharedSuite(
      place: place, firstStart: firstStart, secondStart: second.errorsSoFar, tour: tour.output, pid: second.pid)
    return (second, shared)
  }
}

extension Trait where Self == SharesSuite {
  /// The tests share one running suite, ``SharedSuite/current``.
  static var sharesSuite: Self { SharesSuite() }
}
