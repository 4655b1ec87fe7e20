import TTRPC
import TandemIdentity

extension RunningIdentity {
  var passkeys: PasskeysClient { PasskeysClient(client) }

  /// Adds a passkey to the account of a logged-in user.
  func addPasskey(_ login: LoginResponse) async throws -> Authenticator.Device {
    let start = try await passkeys.startPasskeyRegistration(.init(), .user(login))
    let (device, call) = try Authenticator.create(start)
    _ = try await passkeys.registerPasskey(call, .user(login))
    return device
  }

  /// Logs in by a passkey.
  func logIn(
    _ device: Authenticator.Device, of owner: LoginResponse, count: Int = 1, label: String = ""
  ) async throws -> LoginResponse {
    let start = try await passkeys.startPasskeyLogin(.init())
    var call = try Authenticator.get(start, by: device, of: owner.userID, count: count)
    call.deviceLabel = label
    return try await passkeys.loginWithPasskey(call)
  }

  /// The step at which a call is refused; `nil` if it succeeds.
  func outcome<R>(_ call: () async throws -> R) async throws -> String? {
    do { _ = try await call() } catch let status as Status { return status.step ?? status.reason }
    return nil
  }
}

extension Status {
  /// The step of the specification that failed.
  var step: String? { errorInfo?.metadata["step"] }
}

extension Sequence where Self: Sendable {
  func asyncMap<Value>(_ transform: (Element) async throws -> Value) async throws -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
