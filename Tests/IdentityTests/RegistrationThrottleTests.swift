import Cryptography
import Dispatch
import ServiceRuntime
import Synchronization
import TTRPC
import TTRPCClient
import TandemIdentity
import TestSupport
import Testing

@testable import identity

/// What unauthenticated clients can cause by calls: mails to others' addresses, rows, and work.
@Suite("what strangers may ask for", .timeLimit(.minutes(5)))
struct RegistrationThrottleTests {
  /// Runs `body` with a service behind a gateway, which passes on calls of clients with many addresses.
  private func behindGateway(
    _ arguments: [String] = [], _ body: @escaping @Sendable (RunningIdentity) async throws -> Void
  ) async throws {
    let certificates = try SuiteCertificates()
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      try await RunningIdentity.with(
        on: database, clock: ManualClock(), certificates: certificates, as: "gateway", arguments, body)
    }
  }

  private func client(_ number: Int) -> CallOptions {
    CallOptions(metadata: ["x-forwarded-for": "192.0.2.\(number)"])
  }

  private func stranger(_ number: Int, at domain: String = "example.com") -> RegisterRequest {
    RegisterRequest(
      email: "stranger\(number)@\(domain)", username: "stranger\(number)", password: User.ada.password)
  }

  @Test("[ID-17] of 48 registrations at once from one address 30 are made and mailed, and another address goes on")
  func registrations() async throws {
    try await behindGateway { identity in
      let results = await identity.race(48) { rpc, number in
        try await AccountsClient(rpc).register(stranger(number), client(7))
      }
      let other = try await identity.accounts.register(User.ada.registration, client(8))

      #expect(results.successes().count == 30)
      #expect(results.refusals().count == 18)
      for refused in results.refusals() {
        #expect(refused.code == .resourceExhausted && refused.reason == "ADDRESS_THROTTLED")
        // One in two minutes, which is thirty in an hour.
        #expect(refused.retryAfter == .seconds(120))
      }
      let accounts = try await identity.value("select count(*) from accounts")
      #expect(accounts == "31")
      let mails = try await identity.value("select count(*) from deliveries")
      #expect(mails == "31")
      #expect(!other.userID.isEmpty)
      identity.clock.advance(by: .seconds(120))
      _ = try await identity.accounts.register(stranger(100), client(7))
      let early = try await refusal { try await identity.accounts.register(stranger(101), client(7)) }
      #expect(early.reason == "ADDRESS_THROTTLED" && early.retryAfter == .seconds(120))
    }
  }

  /// Makes calls a hundred at a time: more at once would be refused before they are counted.
  private func bursts(
    _ count: Int, _ identity: RunningIdentity, _ call: @escaping @Sendable (RPCClient, Int) async throws -> Void
  ) async -> [Result<Void, any Error>] {
    var results: [Result<Void, any Error>] = []
    for burst in 0..<count {
      results += await identity.race(100) { rpc, number in try await call(rpc, 100 * burst + number) }
    }
    return results
  }

  @Test(
    "[ID-17] 300 registrations, 2,000 resends and 5,000 passkey starts from one address leave 30 mails and few rows")
  func attack() async throws {
    try await behindGateway { identity in
      let registered = await bursts(3, identity) { rpc, number in
        _ = try await AccountsClient(rpc).register(stranger(number, at: "d\(number).example"), client(7))
      }
      let resent = await bursts(20, identity) { rpc, number in
        _ = try await AccountsClient(rpc).resendVerification(
          ResendVerificationRequest(email: "invented\(number)@d\(number).example"), client(7))
      }
      let started = await bursts(50, identity) { rpc, _ in
        _ = try await PasskeysClient(rpc).startPasskeyLogin(StartPasskeyLoginRequest(), client(7))
      }

      #expect(registered.successes().count == 30 && resent.successes().count == 20 && started.successes().count == 100)
      let refusals = registered.refusals() + resent.refusals() + started.refusals()
      #expect(Set(refusals.map(\.reason)) == ["ADDRESS_THROTTLED"])
      #expect(refusals.allSatisfy { $0.code == .resourceExhausted && $0.retryAfter != nil })
      let rows = try await identity.sql(
        """
        select (select count(*) from deliveries), (select count(*) from verification_requests),
          (select count(*) from passkey_challenges), (select count(*) from throttles)
        """)
      // The throttles are three of the client's address, 20 of addresses for resends, 30 of domains, and those of all
      // registrations and starts.
      #expect(rows == [["30", "50", "100", "55"]])
      // Another address is served all the while.
      _ = try await identity.accounts.register(User.ada.registration, client(8))
    }
  }

  @Test("[ID-17] registrations are limited to a mail domain, however many addresses they come from")
  func registrationsOfDomain() async throws {
    try await behindGateway(["--registrations-of-domain", "10/1h"]) { identity in
      let results = await identity.race(32) { rpc, number in
        try await AccountsClient(rpc).register(
          stranger(number, at: number.isMultiple(of: 2) ? "example.com" : "EXAMPLE.com"), client(number))
      }
      let other = try await identity.accounts.register(User.grace.registration, client(1))

      #expect(results.successes().count == 10)
      #expect(results.refusals().map(\.reason) == Array(repeating: "DOMAIN_THROTTLED", count: 22))
      #expect(results.refusals().allSatisfy { $0.code == .resourceExhausted && $0.retryAfter == .seconds(360) })
      #expect(!other.userID.isEmpty)
    }
  }

  @Test("[ID-17] registrations are limited in all, and what is refused leaves no row behind")
  func registrationsInAll() async throws {
    try await behindGateway(["--registrations-in-all", "12/1h"]) { identity in
      let results = await identity.race(40) { rpc, number in
        try await AccountsClient(rpc).register(stranger(number, at: "d\(number).example"), client(number))
      }

      #expect(results.successes().count == 12)
      #expect(results.refusals().map(\.reason) == Array(repeating: "SERVICE_THROTTLED", count: 28))
      #expect(results.refusals().allSatisfy { $0.code == .resourceExhausted && $0.retryAfter == .seconds(300) })
      let accounts = try await identity.value("select count(*) from accounts")
      #expect(accounts == "12")
      // Of twelve an address and a domain each, and one in all.
      let throttles = try await identity.value("select count(*) from throttles")
      #expect(throttles == "25")
      // Logins have a limit of their own.
      let wrong = try await refusal {
        try await identity.accounts.login(LoginRequest(emailOrUsername: "ada", password: "wrong"), client(1))
      }
      #expect(wrong.reason == "CREDENTIALS_INCORRECT")
    }
  }

  @Test("[ID-17] [C-4] a registration that is repeated by its request_id counts once")
  func repeated() async throws {
    try await RunningIdentity.with(CheapIdentity.self, ["--registrations-of-address", "1/1h"]) { identity in
      var call = User.ada.registration
      call.requestID = "0197a5a0-0000-4000-8000-000000000017"

      let first = try await identity.accounts.register(call)
      let again = try await identity.accounts.register(call)

      #expect(first == again)
    }
  }

  @Test("[ID-17] of 48 resends at once for invented addresses 20 are taken and leave a row each")
  func resends() async throws {
    try await behindGateway { identity in
      let results = await identity.race(48) { rpc, number in
        try await AccountsClient(rpc).resendVerification(
          ResendVerificationRequest(email: "nobody\(number)@example.com"), client(7))
      }
      let other = try await identity.accounts.resendVerification(
        ResendVerificationRequest(email: "somebody@example.com"), client(8))

      #expect(results.successes().count == 20)
      #expect(results.refusals().map(\.reason) == Array(repeating: "ADDRESS_THROTTLED", count: 28))
      #expect(results.refusals().allSatisfy { $0.code == .resourceExhausted && $0.retryAfter == .seconds(180) })
      let rows = try await identity.value("select count(*) from verification_requests")
      #expect(rows == "21")
      #expect(other.resendAvailableTime != nil)
    }
  }

  @Test(
    "[ID-17] resends are limited to a mail domain and in all, and invented addresses take no place there",
    arguments: ["--resends-of-domain", "--resends-in-all"])
  func resendsTogether(setting: String) async throws {
    try await behindGateway([setting, "5/1h"]) { identity in
      let registered = await identity.race(8) { rpc, number in
        try await AccountsClient(rpc).register(stranger(number), client(number))
      }
      #expect(registered.successes().count == 8)
      identity.clock.advance(by: .seconds(60))

      let invented = await identity.race(24) { rpc, number in
        try await AccountsClient(rpc).resendVerification(
          ResendVerificationRequest(email: "nobody\(number)@example.com"), client(number))
      }
      let known = await identity.race(8) { rpc, number in
        try await AccountsClient(rpc).resendVerification(
          ResendVerificationRequest(email: stranger(number).email), client(number))
      }

      // A refusal would reveal which addresses are registered.
      #expect(invented.successes().count == 24 && known.successes().count == 8)
      // One each of registering, and five more.
      let mails = try await identity.value("select count(*) from deliveries")
      #expect(mails == "13")
    }
  }

  /// Has eight users register, and a reset mail asked for 24 invented addresses.
  private func registeredBesideInvented(
    _ identity: RunningIdentity
  ) async throws -> [Result<RequestPasswordResetResponse, any Error>] {
    let registered = await identity.race(8) { rpc, number in
      try await AccountsClient(rpc).register(stranger(number), client(number))
    }
    #expect(registered.successes().count == 8)
    return await resets(24, identity) { "nobody\($0)@example.com" }
  }

  private func resets(
    _ count: Int, _ identity: RunningIdentity, _ email: @escaping @Sendable (Int) -> String
  ) async -> [Result<RequestPasswordResetResponse, any Error>] {
    await identity.race(count) { rpc, number in
      try await AccountsClient(rpc).requestPasswordReset(
        RequestPasswordResetRequest(email: email(number)), client(number))
    }
  }

  @Test(
    "[ID-17] [ID-8] reset mails are limited to a mail domain and in all, and the neutral answer tells nobody",
    arguments: ["--resets-of-domain", "--resets-in-all"])
  func neutralResets(setting: String) async throws {
    try await behindGateway([setting, "5/1h", "--reset-answer", "neutral"]) { identity in
      let invented = try await registeredBesideInvented(identity)
      let known = await resets(8, identity) { stranger($0).email }

      #expect(invented.successes().count == 24 && known.successes().count == 8)
      _ = try await eventually("all wishes were dealt with") {
        try await identity.value("select 1 where not exists (select from jobs)")
      }
      let mails = try await identity.value("select count(*) from deliveries where content = 'PASSWORD_RESET'")
      #expect(mails == "5")
    }
  }

  @Test(
    "[ID-17] with the exact answer reset mails beyond the limits are refused, and invented addresses take no place",
    arguments: [("--resets-of-domain", "DOMAIN_THROTTLED"), ("--resets-in-all", "SERVICE_THROTTLED")])
  func exactResets(setting: String, reason: String) async throws {
    try await behindGateway([setting, "5/1h", "--reset-answer", "exact"]) { identity in
      let invented = try await registeredBesideInvented(identity)
      let known = await resets(8, identity) { stranger($0).email }

      #expect(invented.refusals().map(\.reason) == Array(repeating: "EMAIL_NOT_FOUND", count: 24))
      #expect(known.successes().count == 5)
      #expect(known.refusals().map(\.reason) == Array(repeating: reason, count: 3))
    }
  }

  @Test("[ID-17] of 128 starts of passkey logins at once from one address 100 are taken and leave a row each")
  func passkeyStarts() async throws {
    try await behindGateway { identity in
      let results = await identity.race(128) { rpc, _ in
        try await PasskeysClient(rpc).startPasskeyLogin(StartPasskeyLoginRequest(), client(7))
      }
      let other = try await identity.passkeys.startPasskeyLogin(StartPasskeyLoginRequest(), client(8))

      #expect(results.successes().count == 100)
      #expect(results.refusals().map(\.reason) == Array(repeating: "ADDRESS_THROTTLED", count: 28))
      #expect(results.refusals().allSatisfy { $0.code == .resourceExhausted && $0.retryAfter == .seconds(3) })
      let rows = try await identity.value("select count(*) from passkey_challenges")
      #expect(rows == "101")
      #expect(!other.challenge.isEmpty)
    }
  }

  @Test("[ID-17] starts of passkey logins are limited in all")
  func passkeyStartsInAll() async throws {
    try await behindGateway(["--passkey-starts-in-all", "10/5m"]) { identity in
      let results = await identity.race(32) { rpc, number in
        try await PasskeysClient(rpc).startPasskeyLogin(StartPasskeyLoginRequest(), client(number))
      }

      #expect(results.successes().count == 10)
      #expect(results.refusals().map(\.reason) == Array(repeating: "SERVICE_THROTTLED", count: 22))
      let rows = try await identity.value("select count(*) from passkey_challenges")
      #expect(rows == "10")
    }
  }

  @Test("[ID-17] rows of invented addresses, of starts and of what was counted for them are removed")
  func sweeps() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        for number in 0..<5 {
          _ = try await identity.accounts.resendVerification(
            ResendVerificationRequest(email: "nobody\(number)@example.com"))
          _ = try await identity.passkeys.startPasskeyLogin(StartPasskeyLoginRequest())
        }
        let throttles = try await identity.value("select count(*) from throttles")
        // Two of the client's address, that of all starts, and one of each e-mail address.
        #expect(throttles == "8")
      }
      // The time of the longest of them, which is that of an address.
      clock.advance(by: .seconds(6 * 3_600))
      // A service sweeps when it starts.
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        _ = try await eventually("they are gone") {
          try await identity.value(
            """
            select 1 where not exists (select from throttles) and not exists (select from passkey_challenges)
              and not exists (select from verification_requests)
            """)
        }
      }
    }
  }

  @Test("[ID-17] a password is judged only for an address that has not had many refused, nor for one that is held off")
  func judged() async throws {
    try await RunningIdentity.with(CheapIdentity.self, ["--refused-passwords-of-address", "8/15m"]) { identity in
      var weak = User.ada.registration
      weak.password = "password123"
      let call = weak
      for _ in 0..<8 {
        let refused = try await refusal { try await identity.accounts.register(call) }
        #expect(refused.fieldReasons == ["PASSWORD_NOT_STRONG_ENOUGH"])
      }

      let results = await identity.race(24) { rpc, _ in try await AccountsClient(rpc).register(call) }

      #expect(results.refusals().map(\.reason) == Array(repeating: "ADDRESS_THROTTLED", count: 24))
      #expect(results.refusals().allSatisfy { $0.badRequest == nil && $0.retryAfter != nil })
    }
  }

  @Test("[ID-17] a password that is judged for a taken username counts as a refused one", arguments: [false, true])
  func judgedForTakenName(dryRun: Bool) async throws {
    try await RunningIdentity.with(CheapIdentity.self, ["--refused-passwords-of-address", "8/15m"]) { identity in
      try await identity.verified()
      let call = RegisterRequest(
        email: "fresh@example.com", username: User.ada.username, password: User.ada.password,
        validateOnly: dryRun)
      for _ in 0..<8 {
        let refused = try await refusal { try await identity.accounts.register(call) }
        #expect(refused.reason == "USERNAME_TAKEN")
      }

      let held = try await refusal { try await identity.accounts.register(call) }

      #expect(held.code == .resourceExhausted && held.reason == "ADDRESS_THROTTLED")
    }
  }

  @Test("[ID-17] the strength of a password is not judged for a reset token that does not exist")
  func unknownToken() async throws {
    try await RunningIdentity.with { identity in
      // Long enough, but so guessable that only the strength check refuses it.
      let unknown = try await refusal {
        try await identity.accounts.resetPassword(
          ResetPasswordRequest(token: String(repeating: "x", count: 43), newPassword: "password123"))
      }

      #expect(unknown.fieldReasons == ["RESET_TOKEN_INVALID"])
    }
  }

  @Test("[ID-17] a flood of registrations leaves logins their share of the hashes")
  func lanes() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      try await RunningIdentity.with(EarlierIdentity.self, on: database, clock: clock) { identity in
        try await identity.verified()
      }
      try await RunningIdentity.with(HeldRegistrations.self, on: database, clock: clock) { identity in
        let held = HeldRegistrations.held
        try await withThrowingTaskGroup(of: Int.self) { group in
          group.addTask {
            await identity.race(16) { rpc, number in try await AccountsClient(rpc).register(stranger(number)) }
              .successes().count
          }
          _ = try await eventually("a registration is being hashed") { held.count > 0 ? true : nil }

          // A failed login computes only the hash of the stored account, which is not held.
          let wrong = LoginRequest(emailOrUsername: User.ada.email, password: "wrong")
          var reasons: [String?] = []
          for _ in 0..<4 { try await reasons.append(refusal { try await identity.accounts.login(wrong) }.reason) }

          #expect(reasons == Array(repeating: "CREDENTIALS_INCORRECT", count: 4))
          #expect(held.count == 1)
          held.letGo()
          #expect(try await group.next() == 16)
        }
      }
    }
  }
}

/// The service with at most two hashes at a time, of which those of new passwords wait until the test releases them. For one test.
private struct HeldRegistrations: TandemService {
  static let service = Identity.service
  static let held = HeldWork()

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let passwords = PasswordHasher(.cheapForTests, workers: 2) { parameters in
      if parameters == .cheapForTests { held.pass() }
    }
    return try Identity.build(runtime, passwords: passwords)
  }
}

/// Blocks threads until they are released.
private final class HeldWork: Sendable {
  private let door = DispatchSemaphore(value: 0)
  private let comers = Atomic(0)

  /// How many threads have arrived.
  var count: Int { comers.load(ordering: .acquiring) }

  func pass() {
    comers.add(1, ordering: .releasing)
    door.wait()
    door.signal()
  }

  func letGo() { door.signal() }
}
