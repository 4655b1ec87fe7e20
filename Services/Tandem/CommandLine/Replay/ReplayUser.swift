import Environment
import Identifiers
import Synchronization
import TTRPC
import TTRPCClient
import TandemIdentity
import TandemTracking
import Timestamps

/// A user whose positions are played.
final class ReplayUser: Sendable {
  /// For messages.
  let name: String
  private let locations: LocationsClient
  /// `nil` for a user of whom only an access token is known.
  private let accounts: AccountsClient?
  private let session: Mutex<Session>

  private struct Session {
    var accessToken: String
    var refreshToken: String?
  }

  private static let timeout = Duration.seconds(20)
  /// How long the first repetition of a call waits; each further one twice as long, up to `maxPause`.
  private static let firstPause = Duration.milliseconds(200)
  private static let maxPause = Duration.seconds(5)

  init(name: String, accessToken: String, locations: LocationsClient) {
    (self.name, self.locations, accounts) = (name, locations, nil)
    session = Mutex(Session(accessToken: accessToken))
  }

  /// Logs a user in; ``leave()`` logs out.
  init(name: String, password: String, accounts: AccountsClient, locations: LocationsClient) async throws {
    let login = try await accounts.login(
      LoginRequest(emailOrUsername: name, password: password, deviceLabel: "tandem replay"),
      CallOptions(timeout: Self.timeout))
    (self.name, self.locations, self.accounts) = (name, locations, accounts)
    session = Mutex(Session(accessToken: login.accessToken, refreshToken: login.refreshToken))
  }

  private var options: CallOptions { .token(session.withLock { $0.accessToken }, timeout: Self.timeout) }

  /// Stores positions, with patience for services that are away; a repetition stores nothing twice ([TR-2]).
  func report(_ points: [Position]) async throws -> ReportSummary {
    let request = ReportBatchRequest(points: points)
    return try await patiently { try await self.locations.reportBatch(request, $0) }
  }

  func share(with groups: [String]) async throws {
    _ = try await patiently { try await self.locations.startSharing(StartSharingRequest(groupIds: groups), $0) }
  }

  /// Stops sharing with these groups, and logs out what was logged in; without patience, as the user waits for the end.
  func leave(_ groups: [String]) async throws {
    if session.withLock({ $0.refreshToken != nil }) { _ = try await refresh() }
    if !groups.isEmpty { _ = try await locations.stopSharing(StopSharingRequest(groupIds: groups), options) }
    if let accounts { _ = try await accounts.logout(LogoutRequest(), options) }
  }

  private func patiently<Answer>(_ call: (CallOptions) async throws -> Answer) async throws -> Answer {
    var (pause, hasRefreshed, isTold) = (Self.firstPause, false, false)
    while true {
      do { return try await call(options) } catch let status as Status where status.code == .unauthenticated {
        guard !hasRefreshed, try await refresh() else { throw Self.expired(name, status) }
        hasRefreshed = true
      } catch let status as Status where Self.passes(status) {
        if !isTold { tell("tandem: \(name) waits: \(status.message); it goes on by itself, Ctrl-C ends it") }
        isTold = true
        try await Task.sleep(for: max(pause, status.retryAfter ?? .zero))
        pause = min(pause * 2, Self.maxPause)
      }
    }
  }

  /// Whether a call that failed can succeed later.
  private static func passes(_ status: Status) -> Bool {
    [.unavailable, .deadlineExceeded].contains(status.code)
      || status.code == .resourceExhausted && status.retryAfter != nil
  }

  /// Whether there is a new access token.
  private func refresh() async throws -> Bool {
    guard let accounts, let token = session.withLock({ $0.refreshToken }) else { return false }
    let request = RefreshRequest(refreshToken: token, requestID: "\(SystemRandomness().uuid7(at: SystemClock().now))")
    do {
      let answer = try await accounts.refresh(request, CallOptions(timeout: Self.timeout))
      session.withLock { $0 = Session(accessToken: answer.accessToken, refreshToken: answer.refreshToken) }
      return true
    } catch let status as Status where status.code == .unauthenticated { return false }
  }

  private static func expired(_ name: String, _ status: Status) -> Complaint {
    Complaint(
      "\(name) is not logged in any more: \(status.message); log in again, and name the user by --as if it is to last",
      exitStatus: status.exitStatus)
  }
}
