import Cryptography
import Environment
import Foundation
import Identifiers
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@Suite("changes of the email address", .timeLimit(.minutes(5)))
struct EmailChangeTests {
  private static let new = "ada@new.example"

  @Test("[ID-15] the link to the new address changes it; until then the old one stays")
  func changes() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()

      let asked = try await identity.requestEmail(Self.new, ada)
      let before = try await identity.ownAccount(ada).email
      let told = try await identity.mails(to: User.ada.email, about: "Another email address was asked for")
      let done = try await identity.confirmEmail(try await identity.confirmToken(to: Self.new))
      let after = try await identity.ownAccount(ada)

      #expect(asked.confirmationExpireTime?.seconds == identity.clock.now.wholeSeconds + 86_400)
      #expect(before == User.ada.email && told[0].unspacedMail.contains(Self.new) && !told[0].contains("token="))
      #expect(done.userID == ada.userID && done.email == Self.new)
      #expect(done.undoExpireTime?.seconds == identity.clock.now.wholeSeconds + 7 * 86_400)
      #expect(after.email == Self.new && after.pendingEmail.isEmpty)
      let old = try await refusal { try await identity.accounts.login(User.ada.login) }
      #expect(old.reason == "CREDENTIALS_INCORRECT")
      var user = User.ada
      user.email = Self.new
      _ = try await identity.accounts.login(user.login)
      _ = try await identity.mails(to: Self.new, about: "Your email address was changed")
    }
  }

  @Test("[ID-15] [ID-13] a change takes a login of the last ten minutes")
  func stale() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      identity.clock.advance(by: .seconds(600))
      let fresh = try await identity.accounts.refresh(RefreshRequest(refreshToken: ada.refreshToken))

      let refused = try await refusal {
        try await identity.accounts.requestEmailChange(
          RequestEmailChangeRequest(email: Self.new), .token(fresh.accessToken))
      }

      #expect(refused.code == .failedPrecondition && refused.reason == "FRESH_LOGIN_REQUIRED")
      #expect(try await identity.value("select count(*) from email_changes") == "0")
    }
  }

  @Test("[ID-15] [C-2] one's own address, whatever its case, and no address are refused, and nothing is mailed")
  func badInput() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.mailIsSent()

      let own = try await refusal { try await identity.requestEmail("ADA@Example.com", ada) }
      let invalid = try await refusal {
        try await identity.accounts.requestEmailChange(
          RequestEmailChangeRequest(email: "no address", requestID: "x"), .user(ada))
      }
      let unknown = try await refusal { try await identity.confirmEmail("x") }

      #expect(own.code == .invalidArgument && own.fieldReasons == ["EMAIL_UNCHANGED"])
      #expect(invalid.fields == ["request_id", "email"])
      #expect(unknown.code == .invalidArgument && unknown.fieldReasons == ["EMAIL_CHANGE_TOKEN_INVALID"])
      #expect(try await identity.value("select count(*) from email_changes") == "0")
      #expect(try await identity.value("select count(*) from deliveries") == "1")
    }
  }

  @Test("[ID-15] the answer does not tell that an address is taken: its owner is told, and no link is sent")
  func taken() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.verified(.grace)

      let free = try await identity.requestEmail(Self.new, ada)
      let taken = try await identity.requestEmail("Grace@example.ORG", ada)
      let told = try await identity.mails(to: "Grace@example.ORG", about: "Your email address was asked for")

      #expect(free == taken)
      #expect(!told[0].contains("token=") && !told[0].contains("ada"))
      #expect(try await identity.value("select count(*) from email_change_tokens") == "0")
    }
  }

  @Test("[ID-15] an address that was taken meanwhile is refused at the confirmation, and given when it is free again")
  func takenMeanwhile() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.requestEmail(User.grace.email, ada)
      let token = try await identity.confirmToken(to: User.grace.email)
      let account = try await identity.accounts.register(User.grace.registration)
      try await identity.sql("update accounts set verified_at = registered_at where id = '\(account.userID)'")

      let refused = try await refusal { try await identity.confirmEmail(token) }
      let grace = try await identity.accounts.login(User.grace.login)
      _ = try await identity.accounts.deleteAccount(DeleteAccountRequest(password: User.grace.password), .user(grace))
      let done = try await identity.confirmEmail(token)

      #expect(refused.code == .alreadyExists && refused.reason == "EMAIL_REGISTERED")
      #expect(refused.message == "The email address is already registered")
      #expect(done.email == User.grace.email)
    }
  }

  @Test("[ID-15] [ID-17] a registration that was never verified keeps no address from a user who proves it")
  func unproved() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      _ = try await identity.accounts.register(User.grace.registration)
      try await identity.requestEmail(User.grace.email, ada)

      let done = try await identity.confirmEmail(try await identity.confirmToken(to: User.grace.email))

      #expect(done.email == User.grace.email)
      #expect(try await identity.value("select string_agg(username, ' ') from accounts") == "ada")
    }
  }

  @Test("[ID-15] of several requests the last counts, and the link of an earlier one is not valid")
  func lastCounts() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.requestEmail("first@new.example", ada)
      let first = try await identity.confirmToken(to: "first@new.example")
      try await identity.requestEmail(Self.new, ada)
      let second = try await identity.confirmToken(to: Self.new)

      let replaced = try await refusal { try await identity.confirmEmail(first) }
      let pending = try await identity.ownAccount(ada).pendingEmail
      try await identity.confirmEmail(second)
      let again = try await refusal { try await identity.confirmEmail(second) }

      #expect(replaced.code == .invalidArgument && replaced.reason == "EMAIL_CHANGE_TOKEN_INVALID")
      #expect(pending == Self.new)
      #expect(again.code == .failedPrecondition && again.reason == "EMAIL_CHANGE_TOKEN_USED")
    }
  }

  @Test("[ID-15] the link to the new address works for less than 24 hours", arguments: [(-1, nil), (0, "EXPIRED")])
  func confirmationExpires(second: Int, refused: String?) async throws {
    try await RunningIdentity.with { identity in
      try await identity.requestEmail(Self.new, try await identity.loggedIn())
      let token = try await identity.confirmToken(to: Self.new)
      identity.clock.advance(by: .seconds(86_400 + second))

      let outcome = try await identity.outcome { try await identity.confirmEmail(token) }

      #expect(outcome == refused.map { "EMAIL_CHANGE_TOKEN_\($0)" })
    }
  }

  @Test("[ID-15] tokens are stored as hashes only")
  func hashes() async throws {
    try await RunningIdentity.with { identity in
      try await identity.changeEmail(try await identity.loggedIn(), to: Self.new)
      let tokens = [
        try await identity.confirmToken(to: Self.new), try await identity.undoToken(to: User.ada.email),
      ]

      let tables = try await identity.sql("select tablename from pg_tables where schemaname = 'identity'")
        .compactMap { $0[0] }
      #expect(tables.contains("email_change_tokens") && tables.contains("deliveries"))
      for token in tokens {
        // A row as text has bytes in hexadecimal digits.
        let base64 = token.replacing("-", with: "+").replacing("_", with: "/") + "="
        let bytes = try #require(Data(base64Encoded: base64)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
          .joined()
        for table in tables {
          let holding =
            "select count(*) from \(table) as t where strpos(t::text, '\(token)') > 0 or strpos(t::text, '\(bytes)') > 0"
          #expect(try await identity.value(holding) == "0", "\(table)")
        }
      }
      #expect(try await identity.value("select count(*) from email_change_tokens") == "2")
    }
  }

  @Test("[ID-15] [C-4] a repeated request is answered as the first time, and sends no second mail")
  func repeated() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let call = RequestEmailChangeRequest(email: Self.new, requestID: "0197a5a0-0000-4000-8000-000000000021")
      let first = try await identity.accounts.requestEmailChange(call, .user(ada))
      let second = try await identity.accounts.requestEmailChange(call, .user(ada))
      let confirm = ConfirmEmailChangeRequest(
        token: try await identity.confirmToken(to: Self.new), requestID: "0197a5a0-0000-4000-8000-000000000022")
      let done = try await identity.accounts.confirmEmailChange(confirm)
      let again = try await identity.accounts.confirmEmailChange(confirm)

      #expect(first == second && done == again)
      #expect(try await identity.value("select count(*) from deliveries where content = 'EMAIL_CHANGE'") == "1")
      #expect(
        try await identity.value("select count(*) from security_notices where kind in ('EMAIL_REPLACED')") == "1")
    }
  }

  @Test("[ID-15] [ID-17] a user asks for five new addresses within 24 hours")
  func throttled() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      for number in 0..<5 { try await identity.requestEmail("ada\(number)@new.example", ada) }

      let refused = try await refusal { try await identity.requestEmail("ada5@new.example", ada) }

      #expect(refused.code == .resourceExhausted && refused.reason == "EMAIL_CHANGE_THROTTLED")
      #expect(refused.retryAfter == .seconds(86_400))
    }
  }

  @Test("[ID-15] [ID-17] D-7: strangers who ask for an address do not keep its owner from it, and it gets few mails")
  func strangers() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      try await identity.insertUsers(6)
      let strangers = try await identity.logins(of: 1...6)
      let subject = "Please confirm your new email address"
      var first: [String] = []
      for (number, stranger) in strangers.enumerated() {
        try await identity.requestEmail(Self.new, stranger)
        // What is not sent yet when the next one comes would go with it in one mail.
        if number < 3 { first = try await identity.mails(to: Self.new, about: subject, count: number + 1) }
      }

      try await identity.requestEmail(Self.new.uppercased(), ada)
      identity.clock.advance(by: .seconds(2 * 3_600))
      let all = try await eventually("the gathered mail is there") {
        let mails = try identity.mails(to: Self.new) + identity.mails(to: Self.new.uppercased())
        return mails.count > 3 ? mails : nil
      }
      let gathered = try #require(all.map(\.unspacedMail).last { $0.contains("several persons") }, "\(all)")
      let lines = gathered.split(separator: "\r\n").map(String.init)
      let place = try #require(lines.firstIndex(of: "ada"))
      let token = try #require(lines[place + 1].split(separator: "=").last)
      try await identity.confirmEmail(String(token))

      #expect(first.count == 3 && all.count == 4 && lines.contains("user4") && lines.contains("user6"))
      #expect(
        try await identity.value("select email from accounts where username = 'ada'") == Self.new.uppercased())
    }
  }

  // MARK: Races

  @Test("[ID-15] of 64 users who confirm one address at the same moment one gets it")
  func raceForAddress() async throws {
    try await RunningIdentity.with { identity in
      let tokens = (0..<64).map { _ in SecretToken(randomness: SystemRandomness()) }
      for (number, token) in tokens.enumerated() {
        try await identity.pendingChange(number, to: "shared@new.example", token)
      }

      let results = await identity.race(64) { client, caller in
        try await AccountsClient(client).confirmEmailChange(ConfirmEmailChangeRequest(token: tokens[caller].text))
      }

      #expect(results.successes().count == 1)
      #expect(results.refusals().map(\.reason) == Array(repeating: "EMAIL_REGISTERED", count: 63))
      #expect(try await identity.value("select count(*) from accounts where email = 'shared@new.example'") == "1")
      #expect(try await identity.value("select count(*) from email_reservations") == "1")
    }
  }

  @Test("[ID-15] of 64 uses of one link one succeeds, to confirm and to undo")
  func raceForLink() async throws {
    try await RunningIdentity.with { identity in
      try await identity.requestEmail(Self.new, try await identity.loggedIn())
      let confirm = try await identity.confirmToken(to: Self.new)
      let confirmed = await identity.race(64) { client, _ in
        try await AccountsClient(client).confirmEmailChange(ConfirmEmailChangeRequest(token: confirm))
      }
      let undo = try await identity.undoToken(to: User.ada.email)
      let undone = await identity.race(64) { client, _ in
        try await AccountsClient(client).undoEmailChange(UndoEmailChangeRequest(token: undo))
      }

      #expect(confirmed.successes().count == 1 && undone.successes().count == 1)
      for refusals in [confirmed.refusals(), undone.refusals()] {
        #expect(refusals.map(\.reason) == Array(repeating: "EMAIL_CHANGE_TOKEN_USED", count: 63))
      }
      #expect(try await identity.value("select count(*) from deliveries where content = 'PASSWORD_RESET'") == "1")
      #expect(
        try await identity.value(
          "select count(*) from security_notices where kind in ('EMAIL_REPLACED', 'EMAIL_CHANGED')")
          == "2")
    }
  }

  @Test("[ID-15] two users who swap addresses at the same moment both keep a valid one")
  func raceOfSwaps() async throws {
    try await RunningIdentity.with { identity in
      let tokens = (0..<2).map { _ in SecretToken(randomness: SystemRandomness()) }
      for number in 0..<2 {
        try await identity.pendingChange(number, to: "user\(1 - number)@example.com", tokens[number])
      }

      let results = await identity.race(64) { client, caller in
        try await AccountsClient(client).confirmEmailChange(ConfirmEmailChangeRequest(token: tokens[caller % 2].text))
      }

      #expect(results.successes().isEmpty)
      #expect(results.refusals().map(\.reason) == Array(repeating: "EMAIL_REGISTERED", count: 64))
    }
  }
}

extension RunningIdentity {
  /// An account with a change of address that waits, made in the database: requests are throttled.
  fileprivate func pendingChange(_ number: Int, to email: String, _ token: SecretToken) async throws {
    let (account, change) = (someID(number), someID(1_000 + number))
    let hash = token.hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let now = "to_timestamp(\(clock.now.wholeSeconds))"
    try await sql(
      """
      insert into accounts (id, email, email_key, username, registered_at, verified_at)
      values ('\(account)', 'user\(number)@example.com', 'user\(number)@example.com', 'user\(number)', \(now), \(now))
      """)
    try await sql(
      """
      insert into email_changes (id, account_id, session_id, old_email, old_email_key, new_email, new_email_key,
        requested_at, expires_at)
      values ('\(change)', '\(account)', '\(change)', 'user\(number)@example.com', 'user\(number)@example.com',
        '\(email)', '\(email)', \(now), \(now) + interval '1 day')
      """)
    try await sql(
      """
      insert into email_change_tokens (token_hash, email_change_id, purpose, created_at)
      values (decode('\(hash)', 'hex'), '\(change)', 'CONFIRM', \(now))
      """)
  }
}
