import ClientAddresses
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import IdentityHandlers

@Suite("guessing passwords")
struct ThrottleTests {
  private static let wrong = LoginRequest(emailOrUsername: "ada", password: "wrong")

  private func fail(_ identity: RunningIdentity, _ call: LoginRequest = ThrottleTests.wrong, times: Int = 1)
    async throws -> [String?]
  {
    var reasons: [String?] = []
    for _ in 0..<times { try await reasons.append(refusal { try await identity.accounts.login(call) }.reason) }
    return reasons
  }

  @Test(
    "[ID-10] five wrong passwords lock an account for 15 minutes, for the right password too, and a name that nobody has alike",
    arguments: ["ada", "nobody", "nobody@example.com", "no such name!"])
  func locks(name: String) async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let call = LoginRequest(emailOrUsername: name, password: "wrong")

      let reasons = try await fail(identity, call, times: 5)
      let locked = try await refusal {
        try await identity.accounts.login(LoginRequest(emailOrUsername: name, password: User.ada.password))
      }

      #expect(reasons == Array(repeating: "CREDENTIALS_INCORRECT", count: 5))
      #expect(locked.code == .resourceExhausted && locked.reason == "LOGIN_LOCKED")
      #expect(locked.retryAfter == .seconds(900))
      #expect(locked.message == "Too many wrong passwords; try again later, or reset the password")
      identity.clock.advance(by: .seconds(899))
      let last = try await fail(identity, call)
      identity.clock.advance(by: .seconds(1))
      let after = try await fail(identity, call)
      #expect(last == ["LOGIN_LOCKED"] && after == ["CREDENTIALS_INCORRECT"])
    }
  }

  @Test("[ID-10] both names of an account are the same account")
  func bothNames() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()

      _ = try await fail(identity, times: 3)
      let byEmail = LoginRequest(emailOrUsername: "ADA@example.com", password: "wrong")
      let reasons = try await fail(identity, byEmail, times: 3)

      #expect(reasons == ["CREDENTIALS_INCORRECT", "CREDENTIALS_INCORRECT", "LOGIN_LOCKED"])
    }
  }

  @Test("[ID-10] the second lock is twice as long, and a right password begins anew")
  func doubles() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      _ = try await fail(identity, times: 5)
      identity.clock.advance(by: .seconds(900))
      _ = try await fail(identity, times: 5)

      let second = try await refusal { try await identity.accounts.login(User.ada.login) }
      identity.clock.advance(by: .seconds(1_800))
      _ = try await identity.accounts.login(User.ada.login)
      _ = try await fail(identity, times: 5)
      let anew = try await refusal { try await identity.accounts.login(User.ada.login) }

      #expect(second.retryAfter == .seconds(1_800))
      #expect(anew.retryAfter == .seconds(900))
    }
  }

  @Test("[ID-10] of 32 guesses at once five are judged, and nothing is learnt from the others")
  func race() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let calls = Gathered<Int>()
      let results = await identity.race(32) { client, caller in
        calls.add(caller)
        return try await AccountsClient(client).login(Self.wrong)
      }

      let reasons = results.refusals().map(\.reason)
      let judged = reasons.filter { $0 == "CREDENTIALS_INCORRECT" }.count
      // A call that met a busy database is repeated, and may have been counted.
      let repeated = calls.all.count - 32
      #expect((5 - repeated...5).contains(judged), "\(judged), \(repeated) repeated")
      #expect(reasons.filter { $0 == "LOGIN_LOCKED" }.count == 32 - judged)
      #expect(results.refusals().allSatisfy { $0.code != .resourceExhausted || $0.retryAfter == .seconds(900) })
      #expect(try await identity.value("select locks from throttles where kind = 'LOGIN_1_NAME'") == "1")
      #expect(
        try await identity.value("select cardinality(attempts) from throttles where kind = 'LOGIN_2_ADDRESS'") == "5")
    }
  }

  @Test("[ID-10] a right password among 31 wrong ones at once is told only while fewer than five were judged")
  func raceWithRight() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      // A call that met a busy database is repeated.
      let right = Gathered<Int>()
      let results = await identity.race(32) { client, caller in
        if caller == 16 { right.add(1) }
        return try await AccountsClient(client).login(caller == 16 ? User.ada.login : Self.wrong)
      }

      let judged = results.refusals().filter { $0.reason == "CREDENTIALS_INCORRECT" }.count
      // Each time it is judged, a right password in between resets the count.
      let maxJudged = 5 + 4 * right.all.count
      #expect(results.successes().isEmpty ? judged == 5 : (5...maxJudged).contains(judged), "\(judged)")
      #expect(results.refusals().allSatisfy { ["CREDENTIALS_INCORRECT", "LOGIN_LOCKED"].contains($0.reason) })
    }
  }

  @Test("[ID-10] 50 wrong passwords from one address within 15 minutes hold it off, whatever names they were for")
  func address() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      func guess(_ names: Range<Int>) async -> [Status] {
        await identity.race(names.count) { client, caller in
          try await AccountsClient(client).login(
            LoginRequest(emailOrUsername: "nobody\(names.lowerBound + caller)", password: "wrong"))
        }.refusals()
      }

      let (first, second) = (await guess(0..<32), await guess(32..<64))
      let held = try await refusal { try await identity.accounts.login(User.ada.login) }

      #expect(first.allSatisfy { $0.reason == "CREDENTIALS_INCORRECT" })
      #expect(second.filter { $0.reason == "CREDENTIALS_INCORRECT" }.count == 18)
      #expect(second.filter { $0.reason == "ADDRESS_THROTTLED" }.count == 14)
      #expect(held.code == .resourceExhausted && held.reason == "ADDRESS_THROTTLED")
      #expect(held.retryAfter == .seconds(900))
      identity.clock.advance(by: .seconds(900))
      _ = try await identity.accounts.login(User.ada.login)
    }
  }

  @Test("[ID-10] behind a gateway each client is one of its own; who is no gateway is not believed")
  func gateway() async throws {
    let certificates = try SuiteCertificates()
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        try await identity.verified()
        func logIn(as caller: String?, saying said: String) async throws {
          let client = identity.connected(by: try certificates.client(of: "identity", as: caller))
          let result: Result<LoginResponse, any Error>
          do {
            let options = CallOptions(metadata: ["x-forwarded-for": said])
            result = .success(try await AccountsClient(client).login(User.ada.login, options))
          } catch {
            result = .failure(error)
          }
          await client.close()
          _ = try result.get()
        }

        try await logIn(as: "gateway", saying: "203.0.113.9, 192.0.2.7")
        for (caller, said) in [("lending", "192.0.2.8"), (nil, "192.0.2.9")] {
          try await logIn(as: caller, saying: said)
        }
        let malformed = try await refusal { try await logIn(as: "gateway", saying: "no address") }
        #expect(malformed.code == .invalidArgument && malformed.reason == "FORWARDED_ADDRESS_INVALID")

        let seen = try await identity.sql("select address, count(*) from sessions group by address order by address")
        #expect(seen == [["127.0.0.1", "2"], ["192.0.2.7", "1"]])
      }
    }
  }

  @Test("[ID-10] neither a restart nor another replica forgets failures")
  func replicas() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      try await RunningIdentity.with(on: database, clock: clock) { one in
        try await one.verified()
        _ = try await fail(one, times: 2)
        try await RunningIdentity.with(on: database, clock: clock) { other in
          let reasons = try await fail(other, times: 2)
          #expect(reasons == ["CREDENTIALS_INCORRECT", "CREDENTIALS_INCORRECT"])
        }
      }
      try await RunningIdentity.with(on: database, clock: clock) { restarted in
        let reasons = try await fail(restarted, times: 2)
        #expect(reasons == ["CREDENTIALS_INCORRECT", "LOGIN_LOCKED"])
      }
    }
  }

  @Test("[ID-10] who has a token cannot guess the password with it either")
  func otherMethods() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      for _ in 0..<5 {
        _ = try await refusal {
          try await identity.accounts.deleteAccount(DeleteAccountRequest(password: "wrong"), .user(login))
        }
      }

      let locked = try await refusal {
        try await identity.accounts.deleteAccount(DeleteAccountRequest(password: User.ada.password), .user(login))
      }

      #expect(locked.code == .resourceExhausted && locked.reason == "LOGIN_LOCKED")
      #expect(try await identity.value("select count(*) from accounts") == "1")
    }
  }

  @Test("[ID-2] who tries 50 registered addresses within 15 minutes learns of no more of them")
  func registrations() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let probe = RegisterRequest(
        email: User.ada.email, username: "eve", password: User.ada.password, validateOnly: true)
      for callers in [25, 15] {
        let results = await identity.race(callers) { client, _ in try await AccountsClient(client).register(probe) }
        #expect(results.refusals().map(\.reason) == Array(repeating: "EMAIL_REGISTERED", count: callers))
      }
      // Ten more: fewer where a busy database had a call repeated, which counts twice.
      var known = try await refusal { try await identity.accounts.register(probe) }
      for _ in 0..<10 where known.reason == "EMAIL_REGISTERED" {
        known = try await refusal { try await identity.accounts.register(probe) }
      }
      let unknown = try await refusal { try await identity.accounts.register(User.grace.registration) }

      for status in [known, unknown] {
        #expect(status.code == .resourceExhausted && status.reason == "ADDRESS_THROTTLED")
        #expect(status.retryAfter == .seconds(900))
      }
      identity.clock.advance(by: .seconds(900))
      _ = try await identity.accounts.register(User.grace.registration)
    }
  }

  @Test(
    "[ID-10] one client is an IPv4 address, or the 64 bits of an IPv6 address that its owner can vary",
    arguments: [
      ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "20010db800010002/64"),
      ("2001:db8:1:2::", "20010db800010002/64"), ("fe80::1%eth0", "fe80000000000000/64"), ("unknown", "unknown"),
    ])
  func networks(address: String, network: String) {
    #expect(ClientNetwork(address: address).description == network)
  }

  @Test("[ID-10] records that mean nothing any more are removed")
  func sweeps() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        _ = try await fail(identity, times: 5)
        #expect(try await identity.value("select count(*) from throttles") == "2")
      }
      clock.advance(by: .seconds(900 + 86_400))
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        _ = try await eventually("they are gone") {
          try await identity.value("select 1 where not exists (select from throttles)")
        }
      }
    }
  }
}
