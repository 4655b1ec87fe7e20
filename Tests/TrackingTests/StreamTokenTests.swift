import ServiceRuntime
import Synchronization
import TTRPC
import TTRPCClient
import TandemTracking
import TestServices
import TestSupport
import Testing
import Timestamps
import TrackingStore

@testable import tracking

/// Accepts any token as the id of the caller, until a test revokes all of them.
private final class RevocableTokens: Authenticator {
  static let shared = RevocableTokens()
  private let revoked = Mutex<Set<String>>([])

  func revoke(_ token: String) { revoked.withLock { _ = $0.insert(token) } }

  func caller(provenBy token: Substring, for access: TTRPC.Access) throws(Status) -> Caller {
    guard !revoked.withLock({ $0.contains(String(token)) }) else {
      throw Status(.unauthenticated, reason: "TOKEN_REVOKED", "The session has ended")
    }
    return Caller(subject: String(token))
  }
}

/// The real service with tokens that a test can revoke.
private struct RevocableTracking: TandemService {
  static let service = Tracking.service

  static func build(_ runtime: Runtime) async throws -> ServedService {
    var served = try Tracking.build(runtime, authenticator: RevocableTokens.shared)
    served.follows = []
    return served
  }
}

@Suite("streams and their tokens", .timeLimit(.minutes(5)))
struct StreamTokenTests {
  /// A second is asked for, and streams are looked at twice in it. On a machine where everything waits it takes longer; what is not ended at
  /// all lasts a minute.
  private static let bound = Duration.seconds(10)

  /// How long it takes from a revocation until a stream has ended: the shortest of some rounds.
  private static func shortest(
    of users: [TestUser], _ round: (TestUser) async throws -> Duration
  ) async throws -> Duration {
    var shortest = Duration.seconds(3_600)
    for user in users { shortest = min(shortest, try await round(user)) }
    return shortest
  }

  @Test("[ID-7] [ID-43] an open view ends soon after the revocation, and shows nothing that happens afterwards")
  func views() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      try await RunningTracking.with(on: database, ManualClock()) { tracking in
        let viewers = (100..<105).map { TestUser.one($0) }
        let group = try await tracking.group(of: [.ada] + viewers)
        try await RunningService.with(RevocableTracking.self, on: database, clock: tracking.clock) { service in
          let shortest = try await Self.shortest(of: viewers) { viewer in
            try await LocationsClient(service.client).watch(viewer.options) { requests, responses in
              try await requests.send(WatchRequest(add: [WatchedGroup(group)]))
              var reader = WatchReader(responses)
              _ = try await reader.snapshot()
              try await tracking.move(.ada, in: group, to: 1)
              #expect(try await reader.change().number == 1)
              let start = ContinuousClock.now
              RevocableTokens.shared.revoke(viewer.id.description)
              #expect(try await reader.failure().reason == "TOKEN_REVOKED")
              return ContinuousClock.now - start
            }
          }
          #expect(shortest < Self.bound)
        }
      }
    }
  }

  @Test("[ID-7] a stream of reports ends soon after the revocation, though its client sends nothing more")
  func reports() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      try await RunningTracking.with(on: database, ManualClock()) { tracking in
        let reporters = (200..<203).map { TestUser.one($0) }
        _ = try await tracking.group(of: reporters)
        try await RunningService.with(RevocableTracking.self, on: database, clock: tracking.clock) { service in
          let shortest = try await Self.shortest(of: reporters) { reporter in
            let options = CallOptions.token(reporter.id.description, timeout: .seconds(60))
            return try await LocationsClient(service.client).report(options) { requests, responses in
              let point = Position(latitude: 52.4, longitude: 13.4, time: tracking.clock.now.timestamp)
              try await requests.send(ReportRequest(points: [point]))
              var iterator = responses.makeAsyncIterator()
              #expect(try await iterator.next() != nil)
              let start = ContinuousClock.now
              RevocableTokens.shared.revoke(reporter.id.description)
              let ended = try await refusal { _ = try await iterator.next() }
              #expect(ended.reason == "TOKEN_REVOKED")
              return ContinuousClock.now - start
            }
          }
          #expect(shortest < Self.bound)
        }
      }
    }
  }

  @Test(
    "[ID-7] a stream ends when the token that it was opened with is revoked, also one that was given in the first message"
  )
  func revoked() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      try await RunningService.with(RevocableTracking.self, on: database) { service in
        let locations = LocationsClient(service.client)
        // A token of this test alone.
        let user = TestUser.one(77)
        for (options, first) in [
          (user.options, WatchRequest()),
          (CallOptions(timeout: .seconds(60)), WatchRequest(accessToken: TestUser.one(78).id.description)),
        ] {
          let status = try await refusal {
            try await locations.watch(options) { requests, responses in
              try await requests.send(first)
              try await requests.send(
                WatchRequest(add: [WatchedGroup(groupID: TestUser.ada.id.description)]))
              var reader = WatchReader(responses)
              _ = try await reader.end()
              RevocableTokens.shared.revoke(first.accessToken.isEmpty ? user.id.description : first.accessToken)
              throw try await reader.failure()
            }
          }
          #expect(status.reason == "TOKEN_REVOKED")
        }
      }
    }
  }

  @Test("[ID-7] a path is sent no further when the token is revoked", arguments: [true, false])
  func path(isExported: Bool) async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      let clock = ManualClock()
      try await RunningTracking.with(on: database, clock) { tracking in
        let user = TestUser.one(isExported ? 80 : 81)
        let alert = try await tracking.longAlert(of: user)
        try await RunningService.with(RevocableTracking.self, on: database, clock: clock) { service in
          let options = CallOptions.token(user.id.description, timeout: .seconds(60))
          let status = try await refusal {
            try await LocationsClient(service.client).watch(options) { _, changes in
              try await service.withSlowReader { client in
                try await client.readPath(of: alert, isExported: isExported, options) {
                  RevocableTokens.shared.revoke(user.id.description)
                  // All streams of a token end together.
                  _ = try await refusal { for try await _ in changes {} }
                }
              }
            }
          }
          #expect(status.reason == "TOKEN_REVOKED")
        }
      }
    }
  }
}
