import Foundation
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("registering", .timeLimit(.minutes(5)))
struct RegisterTests {
  @Test("[ID-1] registering makes an unverified account and mails a token")
  func registers() async throws {
    try await RunningIdentity.with { identity in
      let account = try await identity.accounts.register(User.ada.registration)

      let row = try await identity.sql("select id, email, username, verified_at, password_hash from accounts")
      #expect(row.count == 1 && row[0][0] == account.userID && row[0][1] == "ada@example.com" && row[0][2] == "ada")
      #expect(row[0][3] == nil)
      #expect(row[0][4]?.hasPrefix("$scrypt$") == true)
      let mail = try await eventually("the mail is there") { try identity.mails(to: "ada@example.com").first }
      let token = try await identity.mailedToken(to: "ada@example.com")
      #expect(mail.contains("https://tandem.example/verify?token=\(token)\r\n"))
      _ = try await eventually("no mail is left to be sent") {
        try await identity.value("select 1 where not exists (select from deliveries where state = 'DUE')")
      }
    }
  }

  @Test("[ID-1] until verified, login is EMAIL_NOT_VERIFIED, and only with the right password")
  func loginBeforeVerification() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.accounts.register(User.ada.registration)

      let right = try await refusal { try await identity.accounts.login(User.ada.login) }
      var wrong = User.ada
      wrong.password = "not the password"
      let guess = try await refusal { try await identity.accounts.login(wrong.login) }

      #expect(right.code == .failedPrecondition && right.reason == "EMAIL_NOT_VERIFIED")
      #expect(guess.code == .unauthenticated && guess.message == "Incorrect username or password")
      #expect(try await identity.value("select count(*) from sessions") == "0")
    }
  }

  @Test("[ID-1] an unverified account lapses after seven days and frees both names")
  func lapses() async throws {
    try await RunningIdentity.with { identity in
      let first = try await identity.accounts.register(User.ada.registration)
      identity.clock.advance(by: .seconds(7 * 86_400 - 1))
      let early = try await refusal { try await identity.accounts.register(User.ada.registration) }
      identity.clock.advance(by: .seconds(1))

      let login = try await refusal { try await identity.accounts.login(User.ada.login) }
      let second = try await identity.accounts.register(User.ada.registration)

      #expect(early.reason == "EMAIL_REGISTERED")
      #expect(login.message == "Incorrect username or password")
      #expect(second.userID != first.userID)
      #expect(try await identity.value("select string_agg(id::text, ' ') from accounts") == second.userID)
    }
  }

  @Test("[ID-1] a verified account never lapses")
  func verifiedStays() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      identity.clock.advance(by: .seconds(400 * 86_400))

      let status = try await refusal { try await identity.accounts.register(User.ada.registration) }

      #expect(status.code == .alreadyExists)
    }
  }

  @Test(
    "[ID-2] an address that SMTP cannot carry is invalid",
    arguments: [
      "", "ada", "ada@", "@example.com", "ada@exa mple.com", "ada@-example.com", "a..b@example.com",
      "ada@example.com\r\nBcc: all@example.com", "ada@example.com\u{0}", "<ada@example.com>",
      "ada@example.com,b@example.com",
    ])
  func invalidEmail(email: String) async throws {
    try await RunningIdentity.with { identity in
      var user = User.ada
      user.email = email

      let status = try await refusal { try await identity.accounts.register(user.registration) }

      #expect(status.code == .invalidArgument && status.reason == "EMAIL_INVALID" && status.fields == ["email"])
      #expect(status.message == "The email address is invalid")
      #expect(try await identity.value("select count(*) from accounts") == "0")
    }
  }

  @Test("[ID-2] an address is registered once, whatever the case of its parts")
  func emailTaken() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.accounts.register(User.ada.registration)
      let other = User(email: "ADA@Example.COM", username: "somebody")

      let status = try await refusal { try await identity.accounts.register(other.registration) }

      #expect(status.code == .alreadyExists && status.reason == "EMAIL_REGISTERED")
      #expect(status.message == "The email address is already registered")
    }
  }

  @Test("[ID-2] a username is taken once, whatever its case")
  func usernameTaken() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()
      let other = User(email: "other@example.com", username: "ADA")

      let status = try await refusal { try await identity.accounts.register(other.registration) }

      #expect(status.code == .alreadyExists && status.reason == "USERNAME_TAKEN")
      #expect(status.message == "The username is already taken")
    }
  }

  @Test("[ID-2] when both names are taken, both are named")
  func bothTaken() async throws {
    try await RunningIdentity.with { identity in
      try await identity.verified()

      let status = try await refusal { try await identity.accounts.register(User.ada.registration) }

      #expect(status.fields == ["email", "username"])
      #expect(status.fieldReasons == ["EMAIL_REGISTERED", "USERNAME_TAKEN"])
    }
  }

  @Test("[ID-2] of 32 users who register one address at once exactly one gets it")
  func registrationRace() async throws {
    try await RunningIdentity.with { identity in
      let results = await identity.race(32) { client, caller in
        let email = caller % 2 == 0 ? "same@example.com" : "Same@Example.com"
        return try await AccountsClient(client).register(
          User(email: email, username: "name\(caller)", password: User.ada.password).registration)
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().map(\.code) == Array(repeating: .alreadyExists, count: 31))
      let stored = try await identity.value("select count(*) from accounts")
      #expect(stored == "1")
    }
  }

  @Test(
    "[ID-3] a weak password is not strong enough, and which part of the rule it fails is told",
    arguments: [
      ("", "TOO_SHORT", "it has fewer than 8 characters"), ("short1!", "TOO_SHORT", "it has fewer than 8 characters"),
      ("password123", "COMMON", "it is one of the most common ones"),
      ("qwertyuiop", "COMMON", "it is one of the most common ones"),
      ("q1w2e3r4t5y6", "COMMON", "it is one of the most common ones"),
      ("ada@example.com", "GUESSABLE", "it is too easy to guess"),
      (String(repeating: "xK9$", count: 33), "TOO_LONG", "it has more than 128 characters"),
      (String(repeating: "xK9$", count: 4_000), "TOO_LONG", "it has more than 128 characters"),
    ])
  func weakPassword(password: String, part: String, words: String) async throws {
    try await RunningIdentity.with { identity in
      var user = User.ada
      user.password = password

      let status = try await refusal { try await identity.accounts.register(user.registration) }

      #expect(status.code == .invalidArgument && status.reason == "PASSWORD_NOT_STRONG_ENOUGH")
      #expect(status.message == "The password is not strong enough" && status.fields == ["password"])
      #expect(status.errorInfo?.metadata == ["password": part])
      #expect(
        status.badRequest?.fieldViolations.map(\.description) == ["The password is not strong enough: \(words)"])
    }
  }

  @Test("[C-2] every bad field is named at once and nothing is stored")
  func everyBadField() async throws {
    try await RunningIdentity.with { identity in
      let status = try await refusal {
        try await identity.accounts.register(
          RegisterRequest(email: "nobody", username: "a b", password: "weak", requestID: "not a uuid"))
      }

      #expect(status.code == .invalidArgument && status.reason == "INVALID_FIELDS")
      #expect(Set(status.fields) == ["email", "username", "password", "request_id"])
      #expect(try await identity.value("select count(*) from accounts") == "0")
      #expect(try await identity.value("select count(*) from replays") == "0")
    }
  }

  @Test(
    "[C-2] no text breaks out of its place, however long or strange",
    arguments: [
      "'; drop table accounts; --", "a\u{0}b", "\u{202E}abc", "%s%n", "\\\"", "$1", "a\r\nSubject: x", "\u{FFFF}", "🧗🏽‍♀️",
      oneMegabyte,
    ].map(StrangeText.init))
  func strangeTexts(strange: StrangeText) async throws {
    let text = strange.text
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      let statuses = [
        try await refusal {
          try await identity.accounts.register(RegisterRequest(email: text, username: text, password: "x"))
        },
        try await refusal { try await identity.accounts.verifyEmail(VerifyEmailRequest(token: text)) },
        try await refusal {
          try await identity.accounts.resendVerification(ResendVerificationRequest(email: text))
        },
        try await refusal {
          try await identity.accounts.login(LoginRequest(emailOrUsername: text, password: text))
        },
        try await refusal { try await identity.accounts.refresh(RefreshRequest(refreshToken: text)) },
        try await refusal { try await identity.accounts.logout(LogoutRequest(requestID: text), .user(login)) },
        try await refusal { try await identity.profiles.getProfile(GetProfileRequest(username: text), .user(login)) },
        try await refusal {
          try await identity.profiles.createProfile(
            CreateProfileRequest(
              profile: Profile(
                interests: [text], timeZone: text, contact: ContactInformation(phone: text))),
            .user(login))
        },
        try await refusal {
          try await identity.profiles.updateProfile(
            UpdateProfileRequest(profile: Profile(etag: text), updateMask: .init(paths: [text])), .user(login))
        },
      ]

      for status in statuses {
        // The last is for a text that is longer than the limit of requests.
        #expect([.invalidArgument, .unauthenticated, .notFound, .resourceExhausted].contains(status.code), "\(status)")
        #expect(status.reason != nil, "\(status.code) \(status.message.prefix(100))")
        #expect(status.message.utf8.count < 300)
      }
      #expect(try await identity.value("select count(*) from accounts") == "1")
    }
  }

  @Test("[C-6] validate_only checks everything and stores and sends nothing")
  func validateOnly() async throws {
    try await RunningIdentity.with { identity in
      var call = User.ada.registration
      call.validateOnly = true
      let free = try await identity.accounts.register(call)
      _ = try await identity.accounts.register(User.ada.registration)

      let taken = try await refusal { try await identity.accounts.register(call) }

      #expect(free.userID.isEmpty)
      #expect(taken.reason == "EMAIL_REGISTERED")
      #expect(try await identity.value("select count(*) from accounts") == "1")
    }
  }

  @Test("[C-8] ids are UUIDv7 and times are UTC")
  func idsAndTimes() async throws {
    try await RunningIdentity.with { identity in
      let account = try await identity.accounts.register(User.ada.registration)

      #expect(account.userID.utf8.count == 36 && Array(account.userID)[14] == "7")
      let day = Int64(86_400)
      let now = identity.clock.now.wholeSeconds
      #expect(account.verificationExpireTime?.seconds == now + day)
      #expect(account.accountExpireTime?.seconds == now + 7 * day)
    }
  }
}

private let oneMegabyte = String(repeating: "x", count: 1 << 20)

/// A text that is cut short where tests are listed.
struct StrangeText: Sendable, CustomTestStringConvertible {
  let text: String

  var testDescription: String { String(text.debugDescription.prefix(30)) }
}
