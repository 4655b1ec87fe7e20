import ServiceRuntime
import Synchronization
import TTRPC
import TTRPCClient
import TandemTracking
import TestServices
import TestSupport
import Testing
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
  @Test(
    "[ID-7] a stream ends when the token that it was opened with is revoked, also one that was given in the first message"
  )
  func revoked() async throws {
    try await TestDatabase.with([RunningTracking.schema]) { database in
      try await RunningService.with(RevocableTracking.self, on: database) { service in
        let locations = LocationsClient(service.client)
        // A token of this test alone.
        let user = Someone.one(77)
        for (options, first) in [
          (user.options, WatchRequest()),
          (CallOptions(timeout: .seconds(60)), WatchRequest(accessToken: Someone.one(78).id.description)),
        ] {
          let status = try await refusal {
            try await locations.watch(options) { requests, responses in
              try await requests.send(first)
              try await requests.send(
                WatchRequest(add: [WatchedGroup(groupID: Someone.ada.id.description)]))
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
}
