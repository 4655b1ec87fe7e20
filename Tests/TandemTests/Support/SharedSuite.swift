import Glibc
import Synchronization
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

  @TaskLocal fileprivate static var onDemand: SuiteOnDemand?

  /// The suite that this test shares, which the first test that asks for it starts.
  static var current: SharedSuite {
    get throws { try #require(onDemand, "the test's @Suite has the trait .sharesSuite").started() }
  }

  /// The first username of the tour that begins so.
  func user(_ beginning: String) throws -> String {
    let start = try #require(tour.firstRange(of: beginning)).lowerBound
    return String(tour[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }
}

/// Starts a suite when the first test asks for it: a test may wait long for its turn, and a suite that runs meanwhile takes the processor from others.
private final class SuiteOnDemand: Sendable {
  private struct Running: Sendable {
    let process: Command
    let shared: SharedSuite
  }

  private let running = Mutex<Result<Running, any Error>?>(nil)

  /// Starts it, or returns what is started already. Tests that ask meanwhile wait, each on a thread of its own.
  func started() throws -> SharedSuite {
    try running.withLock { running in
      let result = running ?? Result { try Self.start() }
      running = result
      return try result.get().shared
    }
  }

  private static func start() throws -> Running {
    let place = try SuitePlace()
    let first = try place.up()
    let firstStart = first.errorsSoFar
    let tour = try SuiteTurns.take { try place.run(["tour"]) }
    place.stop(first)
    try #require(tour.status == 0, "\(tour.output)\(tour.errors)")
    let second = try place.up()
    let shared = SharedSuite(
      place: place, firstStart: firstStart, secondStart: second.errorsSoFar, tour: tour.output, pid: second.pid)
    return Running(process: second, shared: shared)
  }

  /// Stops what was started.
  func stop() {
    guard case .success(let running)? = running.withLock({ $0 }) else { return }
    running.shared.place.stop(running.process)
  }
}

/// Has all tests of a `@Suite`, and of those within it, share one suite, and stops it after them.
struct SharesSuite: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let threads: OwnThreads = .ownThreads
    try await threads.provideScope(for: test, testCase: testCase) {
      let suite = SuiteOnDemand()
      defer { suite.stop() }
      try await SharedSuite.$onDemand.withValue(suite) { try await function() }
    }
  }
}

extension Trait where Self == SharesSuite {
  /// The tests share one running suite, ``SharedSuite/current``.
  static var sharesSuite: Self { SharesSuite() }
}
