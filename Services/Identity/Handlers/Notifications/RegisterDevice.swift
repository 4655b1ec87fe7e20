import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
import IdentityStore
import TTRPC
import TandemNotification
import UserCalls
import UserTokens

extension Notifications {
  /// Registers a device that the caller's notifications are pushed to ([ID-62]).
  package func registerDevice(
    _ call: RegisterDeviceRequest, _ context: CallContext
  ) async throws -> TandemNotification.Device {
    let (owner, session) = (try context.userID, try context.loginSessionID)
    let registration = try DeviceRegistration(call)
    let token = try pushTokens.kept(registration.token)
    return try await idempotency.execute(call, context.requestKey(registration.requestID)) { tx in
      // Serialises the registrations of one user, so that they keep the limit.
      guard try await tx.first(LockInbox(userID: owner)) != nil else { throw Status.notAUser }
      // The device ends with its session, which must not have ended while the call was on its way here.
      guard try await tx.first(HoldSession(sessionID: session, userID: owner)) != nil else {
        throw TokenRefusal.revoked.status
      }
      try await tx.execute(ReleaseToken(tokenHash: token.hash, userID: owner))
      let stored = try await tx.first(
        IdentityStore.RegisterDevice(
          deviceID: environment.newID(), userID: owner, sessionID: session, platform: registration.platform,
          tokenHash: token.hash,
          sealedToken: token.sealed, now: environment.clock.now))
      guard let stored else { throw Status.concurrentChange }
      try await tx.execute(DropSurplusDevices(userID: owner, kept: DeviceRegistration.maxOfUser))
      return Device(stored)
    }
  }
}

/// The validated fields of the request.
private struct DeviceRegistration {
  let token: String
  /// In its stored form.
  let platform: String
  let requestID: UUID7?

  /// The maximum number of devices of one user.
  static let maxOfUser: Int64 = 20

  private static let maxTokenLength = 1_024

  init(_ call: RegisterDeviceRequest) throws {
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    let isToken =
      (1...Self.maxTokenLength).contains(call.token.utf8.count)
      && call.token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    if !isToken {
      bad.add(
        "token", "A token has 1 to 1,024 printable ASCII characters without spaces", NotificationReason.tokenInvalid)
    }
    let platform = bad.require(
      "platform", call.platform.stored, "Say whose token it is", NotificationReason.platformRequired)
    self.platform = try bad.all(platform)
    token = call.token
  }
}
