import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("passkeys that are forged, replayed or not theirs", .ownThreads)
struct PasskeyAttackTests {
  @Test(
    "[ID-11] a login that does not pass a step is refused with it, and its challenge is used up",
    arguments: Forgery.logins)
  func forgedLogin(forgery: Forgery) async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let device = try await identity.addPasskey(ada)
      let start = try await identity.passkeys.startPasskeyLogin(.init())

      let forged = try Authenticator.get(start, by: device, of: ada.userID, forging: forgery.members)
      let refused = try await refusal { try await identity.passkeys.loginWithPasskey(forged) }
      let honest = try Authenticator.get(start, by: device, of: ada.userID)
      let later = try await identity.outcome { try await identity.passkeys.loginWithPasskey(honest) }

      #expect(refused.code == .unauthenticated && refused.reason == "PASSKEY_REFUSED")
      #expect(refused.step == forgery.step)
      // A request without one of our challenges uses none up.
      #expect(later == (forgery.usesUp ? "CHALLENGE" : nil))
    }
  }

  @Test(
    "[ID-11] a registration that does not pass a step is refused with it, and nothing is stored",
    arguments: Forgery.registrations)
  func forgedRegistration(forgery: Forgery) async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let start = try await identity.passkeys.startPasskeyRegistration(.init(), .user(ada))

      let (_, forged) = try Authenticator.create(
        start, algorithm: forgery.algorithm, forging: forgery.members)
      let refused = try await refusal { try await identity.passkeys.registerPasskey(forged, .user(ada)) }
      let (_, honest) = try Authenticator.create(start)
      let later = try await identity.outcome { try await identity.passkeys.registerPasskey(honest, .user(ada)) }

      #expect(refused.code == .invalidArgument && refused.reason == "PASSKEY_REFUSED")
      #expect(refused.step == forgery.step)
      #expect(later == (forgery.usesUp ? "CHALLENGE" : nil))
    }
  }

  @Test("[ID-11] a signature, a passkey and a person that do not belong together are refused alike")
  func signatures() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let (hers, graces) = (try await identity.addPasskey(ada), try await identity.addPasskey(grace))
      let changes: [(inout LoginWithPasskeyRequest) -> Void] = [
        { $0.signature[$0.signature.count - 1] ^= 1 }, { $0.signature = [] },
        { $0.signature = [UInt8](repeating: 0, count: 64) }, { $0.credentialID = graces.credentialID },
        { $0.credentialID = [1, 2, 3] }, { $0.credentialID = [] },
        { $0.credentialID = [UInt8](repeating: 7, count: 5_000) }, { $0.userHandle = Array(grace.userID.utf8) },
        { $0.userHandle = [] }, { $0.authenticatorData[36] ^= 1 },
      ]
      for (number, change) in changes.enumerated() {
        let start = try await identity.passkeys.startPasskeyLogin(.init())
        var call = try Authenticator.get(start, by: hers, of: ada.userID)
        change(&call)
        let changed = call
        let refused = try await refusal { try await identity.passkeys.loginWithPasskey(changed) }
        #expect(refused.code == .unauthenticated && refused.step == "SIGNATURE", "\(number)")
      }
      #expect(try await identity.value("select count(*) from sessions") == "2")
    }
  }

  @Test("[ID-11] a sign counter that goes back, or stands still, is refused")
  func counter() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let device = try await identity.addPasskey(ada)
      _ = try await identity.logIn(device, of: ada, count: 7)

      for count in [0, 1, 6, 7] {
        let refused = try await refusal { try await identity.logIn(device, of: ada, count: count) }
        #expect(refused.code == .unauthenticated && refused.step == "COUNTER", "\(count)")
      }

      _ = try await identity.logIn(device, of: ada, count: 8)
      #expect(try await identity.value("select sign_count from passkeys") == "8")
    }
  }

  @Test("[ID-11] an authenticator that does not count may stay at zero")
  func countless() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let device = try await identity.addPasskey(ada)
      for _ in 0..<2 { _ = try await identity.logIn(device, of: ada, count: 0) }
    }
  }

  @Test("[ID-11] a challenge of one ceremony, or of somebody else, is none for another")
  func strayChallenges() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      let device = try await identity.addPasskey(ada)
      let hers = try await identity.passkeys.startPasskeyRegistration(.init(), .user(ada))
      let login = try await identity.passkeys.startPasskeyLogin(.init())

      let (_, stolen) = try Authenticator.create(hers)
      let byGrace = try await refusal { try await identity.passkeys.registerPasskey(stolen, .user(grace)) }
      let (_, mixed) = try Authenticator.create(
        StartPasskeyRegistrationResponse(challenge: login.challenge, relyingPartyID: login.relyingPartyID))
      let withLogins = try await refusal { try await identity.passkeys.registerPasskey(mixed, .user(ada)) }
      let registrations = StartPasskeyLoginResponse(
        challenge: hers.challenge, relyingPartyID: hers.relyingPartyID)
      let swapped = try Authenticator.get(registrations, by: device, of: ada.userID)
      let withRegistrations = try await refusal { try await identity.passkeys.loginWithPasskey(swapped) }

      for refused in [byGrace, withLogins, withRegistrations] { #expect(refused.step == "CHALLENGE") }
    }
  }

  @Test("[ID-11] a challenge works for five minutes", arguments: [299, 300])
  func expiry(seconds: Int) async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let device = try await identity.addPasskey(ada)
      let start = try await identity.passkeys.startPasskeyLogin(.init())
      identity.clock.advance(by: .seconds(seconds))

      let call = try Authenticator.get(start, by: device, of: ada.userID)
      let outcome = try await identity.outcome { try await identity.passkeys.loginWithPasskey(call) }

      #expect(outcome == (seconds < 300 ? nil : "CHALLENGE"))
    }
  }

  @Test("[ID-11] of 32 logins with one challenge at once one succeeds")
  func race() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let device = try await identity.addPasskey(ada)
      let start = try await identity.passkeys.startPasskeyLogin(.init())
      let calls = try (0..<32).map { try Authenticator.get(start, by: device, of: ada.userID, count: $0 + 1) }

      let results = await identity.race(32) { client, number in
        try await PasskeysClient(client).loginWithPasskey(calls[number])
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().allSatisfy { $0.reason == "PASSKEY_REFUSED" })
      #expect(try await identity.value("select count(*) from sessions") == "2")
    }
  }
}

/// A forged part of a ceremony, and the step that refuses it.
struct Forgery: Sendable, CustomTestStringConvertible {
  let what: String
  let members: Authenticator.Members
  let step: String
  var algorithm = -7
  /// Whether it has the challenge that was issued.
  var usesUp = true

  var testDescription: String { what }

  private static let common = [
    Forgery(what: "another origin", members: ["origin": "https://evil.example"], step: "ORIGIN"),
    Forgery(
      what: "an origin that begins like ours", members: ["origin": "https://tandem.example.evil"], step: "ORIGIN"),
    Forgery(what: "an origin without TLS", members: ["origin": "http://tandem.example"], step: "ORIGIN"),
    Forgery(what: "a page within another site's", members: ["cross_origin": true], step: "ORIGIN"),
    Forgery(what: "another relying party", members: ["hash_of": "evil.example"], step: "RELYING_PARTY"),
    Forgery(
      what: "another challenge", members: ["client_challenge": String(repeating: "ab", count: 32)], step: "CHALLENGE",
      usesUp: false),
    Forgery(what: "an empty challenge", members: ["client_challenge": ""], step: "CHALLENGE", usesUp: false),
    Forgery(what: "no JSON", members: ["client_data": "nonsense"], step: "CLIENT_DATA", usesUp: false),
    Forgery(
      what: "a member twice",
      members: [
        "client_data":
          #"{"type":"webauthn.get","type":"webauthn.get","challenge":"AAAA","origin":"https://tandem.example"}"#
      ], step: "CLIENT_DATA", usesUp: false),
    Forgery(
      what: "no origin", members: ["client_data": #"{"type":"webauthn.get","challenge":"AAAA"}"#], step: "CLIENT_DATA",
      usesUp: false),
  ]

  static let logins =
    common + [
      Forgery(what: "another ceremony", members: ["type": "webauthn.create"], step: "TYPE", usesUp: false),
      Forgery(what: "nobody present", members: ["flags": 0x04], step: "USER_PRESENCE"),
      Forgery(what: "nobody verified", members: ["flags": 0x01], step: "USER_VERIFICATION"),
      Forgery(what: "bytes behind the data", members: ["trailing": "00"], step: "AUTHENTICATOR_DATA"),
      Forgery(what: "extensions that are missing", members: ["flags": 0x85], step: "AUTHENTICATOR_DATA"),
      Forgery(what: "a credential that is missing", members: ["flags": 0x45], step: "AUTHENTICATOR_DATA"),
    ]

  static let registrations =
    common + [
      Forgery(what: "another ceremony", members: ["type": "webauthn.get"], step: "TYPE", usesUp: false),
      Forgery(what: "nobody present", members: ["flags": 0x44], step: "USER_PRESENCE"),
      Forgery(what: "nobody verified", members: ["flags": 0x41], step: "USER_VERIFICATION"),
      Forgery(what: "no credential", members: ["flags": 0x05], step: "AUTHENTICATOR_DATA"),
      Forgery(what: "bytes behind the key", members: ["trailing": "00"], step: "AUTHENTICATOR_DATA"),
      Forgery(what: "an attestation", members: ["fmt": "packed"], step: "ATTESTATION"),
      Forgery(what: "a statement", members: ["att_stmt": ["alg": -7]], step: "ATTESTATION"),
      Forgery(what: "an algorithm that was not asked for", members: ["cose": ["3": -257]], step: "PUBLIC_KEY"),
      Forgery(what: "a key without an algorithm", members: ["cose": ["3": Optional<Int>.none]], step: "PUBLIC_KEY"),
      Forgery(what: "another curve", members: ["cose": ["-1": 2]], step: "PUBLIC_KEY"),
      Forgery(what: "another type of key", members: ["cose": ["1": 1]], step: "PUBLIC_KEY"),
      Forgery(
        what: "a point off the curve", members: ["cose": ["-2": String(repeating: "11", count: 32)]],
        step: "PUBLIC_KEY"),
      Forgery(what: "a short coordinate", members: ["cose": ["-3": "1111"]], step: "PUBLIC_KEY"),
      Forgery(what: "one member too many", members: ["cose": ["4": 1]], step: "PUBLIC_KEY"),
      Forgery(what: "a short EdDSA key", members: ["cose": ["-2": "1111"]], step: "PUBLIC_KEY", algorithm: -8),
      Forgery(
        what: "an EdDSA key of order 1", members: ["cose": ["-2": "01" + String(repeating: "00", count: 31)]],
        step: "PUBLIC_KEY", algorithm: -8),
      Forgery(
        what: "an EdDSA key of order 4", members: ["cose": ["-2": String(repeating: "00", count: 32)]],
        step: "PUBLIC_KEY", algorithm: -8),
      Forgery(
        what: "an EdDSA key of order 8",
        members: ["cose": ["-2": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85"]],
        step: "PUBLIC_KEY", algorithm: -8),
      Forgery(what: "an empty credential id", members: ["credential_id": ""], step: "CREDENTIAL_ID"),
      Forgery(
        what: "a credential id of 1,024 bytes", members: ["credential_id": String(repeating: "ab", count: 1_024)],
        step: "CREDENTIAL_ID"),
    ]
}
