import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityFederation
import IdentityOperations
import IdentityStore
import OAuth2
import Postgres
import TTRPC
import TandemIdentity
import VisibleText

extension FederatedLogins {
  /// Starts a session for a user who comes back from a provider, if their identity is linked to an account ([ID-5],
  /// [ID-12]).
  package func completeFederatedLogin(
    _ call: CompleteFederatedLoginRequest, _ context: CallContext
  ) async throws -> LoginResponse {
    let arrival = try Arrival(call)
    let key = context.requestKey(arrival.requestID)
    if let first: LoginResponse = try await idempotency.firstAnswer(to: call, key) { return first }
    guard let handle = arrival.handle,
      let user = try await user(
        of: arrival.answer, state: call.state, by: .browser(handleHash: handle.hash))
    else {
      // The same request may have used the attempt while its repetition was on its way here.
      if let first: LoginResponse = try await idempotency.firstAnswer(to: call, key) { return first }
      throw Status.attemptInvalid
    }
    let device = try await sessions.devices.device(of: call.deviceToken)
    return try await idempotency.execute(call, key) { tx in
      guard let answer = try await login(user, arrival.deviceLabel, on: device, context, tx) else {
        throw Status.identityNotLinked(user, ticket: try tickets.ticket(for: user, handleHash: handle.hash))
      }
      return answer
    }
  }

  /// Starts a session of the account that the identity is linked to; `nil` when it is linked to none.
  private func login(
    _ user: FederatedUser, _ label: DeviceLabel, on device: RememberedDevices.Device?, _ context: CallContext,
    _ tx: Transaction
  ) async throws -> LoginResponse? {
    let now = environment.clock.now
    guard let link = try await tx.first(IdentityBySubject(issuer: user.issuer, subject: user.subject)),
      let account = try await tx.first(HoldIdentityOwner(userID: link.userID, now: now))
    else { return nil }
    if let refusal = FederatedLogin.refusal(isVerified: account.isVerified, isLocked: account.isLocked) {
      throw refusal
    }
    // The identity was unlinked since it was looked up.
    guard try await tx.first(NoteIdentityUse(now: now, identityID: link.id)) != nil else { return nil }
    return LoginResponse(
      try await sessions.open(
        for: link.userID, label, on: device, by: context.origin, as: .loggedInByIdentity, provedAt: user.provedAt,
        in: tx))
  }
}

/// The validated fields of the request.
private struct Arrival {
  let answer: AuthorizationAnswer
  /// `nil` for a text that was never issued.
  let handle: SecretToken?
  let deviceLabel: DeviceLabel
  let requestID: UUID7?

  init(_ call: CompleteFederatedLoginRequest) throws {
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    let label = bad.require(
      "device_label", DeviceLabel.read(call.deviceLabel), IdentityReason.deviceLabelInvalid)
    deviceLabel = try bad.all(label)
    answer = AuthorizationAnswer(code: call.code, issuer: call.issuer, error: call.error)
    handle = SecretToken(call.handle)
  }
}
