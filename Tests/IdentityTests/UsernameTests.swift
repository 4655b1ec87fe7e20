import Identifiers
import TTRPC
import TandemIdentity
import TestSupport
import Testing

extension RunningIdentity {
  /// Takes another username.
  @discardableResult
  func rename(_ login: LoginResponse, to name: String) async throws -> ChangeUsernameResponse {
    try await accounts.changeUsername(ChangeUsernameRequest(username: name), .user(login))
  }

  /// The refusal of a change of username.
  func refusedRename(_ login: LoginResponse, to name: String) async throws -> Status {
    try await refusal { try await rename(login, to: name) }
  }

  /// The names that were published to the other services, of all users or of one.
  func toldNames(of login: LoginResponse? = nil) async throws -> [String] {
    try await sql(
      """
      select substr(split_part(convert_from(payload, 'UTF8'), chr(18), 2), 2) from events
      where type = 'tandem.events.v1.AccountNamed' \(login.map { "and key = '\($0.userID)'" } ?? "")
      order by transaction_id, id
      """
    ).compactMap { $0.first ?? nil }
  }

  /// `count` logged-in users: user0, user1 and so on, without mail.
  func users(_ count: Int) async throws -> [LoginResponse] {
    var logins: [LoginResponse] = []
    for number in 0..<count {
      let user = User(email: "user\(number)@example.com", username: "user\(number)")
      let account = try await accounts.register(user.registration)
      try await sql("update accounts set verified_at = registered_at where id = '\(account.userID)'")
      logins.append(try await accounts.login(user.login))
    }
    return logins
  }

  /// Names that a user has although they are reserved for another.
  func stolenNames() async throws -> [[String?]] {
    try await sql(
      """
      select username from accounts join username_reservations on username_key = lower(username)
      where account_id <> accounts.id
      """)
  }
}

@Suite("usernames", .timeLimit(.minutes(5)))
struct UsernameTests {
  @Test("[ID-22] a new username takes the place of the old one everywhere, and the other services are told")
  func changes() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.member()
      let grace = try await identity.member(.grace)
      let before = try await identity.profiles.getProfile(GetProfileRequest(username: "ada"), .user(ada))
      identity.clock.advance(by: .seconds(1))

      let answer = try await identity.rename(ada, to: "Lovelace.A")

      #expect(answer.username == "Lovelace.A" && answer.previousUsername == "ada")
      #expect(answer.reservationExpireTime?.seconds == identity.clock.now.wholeSeconds + 30 * 86_400)
      let after = try await identity.profiles.getProfile(GetProfileRequest(username: "LOVELACE.a"), .user(grace))
      #expect(after.username == "Lovelace.A" && after.userID == ada.userID && after.etag != before.etag)
      #expect(after.updateTime?.seconds == identity.clock.now.wholeSeconds && after.level == before.level)
      let old = try await refusal {
        try await identity.profiles.getProfile(GetProfileRequest(username: "ada"), .user(grace))
      }
      #expect(old.code == .notFound && old.message == "There is no such person")
      #expect(try await identity.search("a", grace).isEmpty)
      #expect(try await identity.search("love", grace) == ["Lovelace.A"])
      #expect(try await identity.toldNames(of: ada) == ["ada", "Lovelace.A"])
      let login = LoginRequest(emailOrUsername: "lovelace.a", password: User.ada.password)
      #expect(try await identity.accounts.login(login).userID == ada.userID)
      let byOldName = LoginRequest(emailOrUsername: "ada", password: User.ada.password)
      #expect(try await refusal { try await identity.accounts.login(byOldName) }.reason == "CREDENTIALS_INCORRECT")
      let noted = try await identity.value("select account_id from security_events where kind = 'USERNAME_CHANGED'")
      #expect(noted == ada.userID)
    }
  }

  @Test("[ID-22] the old name is nobody else's for 30 days, whether they register or change their own")
  func reserved() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      try await identity.rename(ada, to: "lovelace")
      let registration = RegisterRequest(
        email: "eve@example.com", username: "ADA", password: User.ada.password)
      identity.clock.advance(by: .seconds(30 * 86_400 - 1))
      let login = try await identity.accounts.login(User.grace.login)

      let change = try await identity.refusedRename(login, to: "Ada")
      let register = try await refusal { try await identity.accounts.register(registration) }
      identity.clock.advance(by: .seconds(1))
      try await identity.rename(login, to: "Ada")

      for status in [change, register] {
        #expect(status.code == .alreadyExists && status.reason == "USERNAME_TAKEN")
        #expect(status.message == "The username is already taken" && status.fields == ["username"])
      }
      #expect(try await identity.value("select id from accounts where username = 'Ada'") == grace.userID)
      let taken = try await refusal { try await identity.accounts.register(registration) }
      #expect(taken.reason == "USERNAME_TAKEN")
    }
  }

  @Test("[ID-22] who registers a name whose reservation has lapsed gets it")
  func registersLapsed() async throws {
    try await RunningIdentity.with { identity in
      try await identity.rename(try await identity.loggedIn(), to: "lovelace")
      identity.clock.advance(by: .seconds(30 * 86_400))

      try await identity.verified(User(email: "eve@example.com", username: "ada"))

      #expect(try await identity.value("select count(*) from username_reservations") == "0")
    }
  }

  @Test("[ID-22] the owner may take the old name again, which reserves the other one")
  func returns() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      try await identity.rename(ada, to: "lovelace")

      let back = try await identity.rename(ada, to: "ada")

      #expect(back.previousUsername == "lovelace" && back.reservationExpireTime != nil)
      #expect(try await identity.refusedRename(grace, to: "lovelace").reason == "USERNAME_TAKEN")
      #expect(try await identity.refusedRename(grace, to: "ada").reason == "USERNAME_TAKEN")
      #expect(try await identity.sql("select username_key from username_reservations") == [["lovelace"]])
    }
  }

  @Test("[ID-22] the same name in other letters reserves nothing, and the same letters change nothing")
  func respells() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()

      let respelt = try await identity.rename(ada, to: "Ada")
      let same = try await identity.rename(ada, to: "Ada")

      #expect(respelt.username == "Ada" && respelt.reservationExpireTime == nil)
      #expect(same == ChangeUsernameResponse(username: "Ada", previousUsername: "Ada"))
      #expect(try await identity.value("select count(*) from username_reservations") == "0")
      #expect(try await identity.toldNames() == ["ada", "Ada"])
    }
  }

  @Test(
    "[ID-22] [ID-2] [C-2] what is no username is refused and nothing is stored",
    arguments: [
      "", "ad", String(repeating: "a", count: 31), "ada lovelace", "аda", "ａda", "ad\u{0}a", "ada\n", "adа́",
      "a'; drop table accounts; --", "%s%n", "<b>ada</b>", "ada@x.org", "\u{202E}ada", "\u{200B}ada",
      String(repeating: "a", count: 1_000_000),
    ])
  func invalid(name: String) async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()

      let status = try await refusal {
        try await identity.accounts.changeUsername(
          ChangeUsernameRequest(username: name, requestID: "x"), .user(ada))
      }

      #expect(status.code == .invalidArgument && status.fieldReasons == ["REQUEST_ID_INVALID", "USERNAME_INVALID"])
      #expect(try await identity.value("select username from accounts") == "ada")
    }
  }

  @Test("[ID-22] [C-6] validate_only runs every check and stores nothing")
  func validates() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.member(), try await identity.loggedIn(.grace))
      func tried(_ name: String) async throws -> ChangeUsernameResponse {
        try await identity.accounts.changeUsername(
          ChangeUsernameRequest(username: name, validateOnly: true), .user(ada))
      }

      let free = try await tried("lovelace")
      let taken = try await refusal { try await tried("Grace.H") }

      #expect(free.username == "lovelace" && free.reservationExpireTime != nil)
      #expect(taken.reason == "USERNAME_TAKEN")
      #expect(try await identity.value("select username from accounts where id = '\(ada.userID)'") == "ada")
      #expect(try await identity.value("select count(*) from username_reservations") == "0")
      #expect(try await identity.toldNames(of: ada) == ["ada"])
      try await identity.rename(grace, to: "lovelace")
    }
  }

  @Test("[ID-22] [C-4] of 32 racing repetitions of a request one runs and all get its answer")
  func repeats() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.loggedIn()
      let call = ChangeUsernameRequest(
        username: "lovelace", requestID: "0197a5a0-2222-7000-8000-00000000000a")

      let results = await identity.race(32) { client, _ in
        try await AccountsClient(client).changeUsername(call, .user(ada))
      }

      let first = try #require(results.successes().first)
      #expect(results.successes() == Array(repeating: first, count: 32), "\(results.refusals())")
      #expect(first.previousUsername == "ada")
      #expect(try await identity.toldNames(of: ada) == ["ada", "lovelace"])
    }
  }

  @Test("[ID-22] of 32 callers for one name, from 8 people and from strangers who register, one gets it")
  func race() async throws {
    try await RunningIdentity.with { identity in
      let users = try await identity.users(8)

      let results = await identity.race(32) { client, caller in
        let accounts = AccountsClient(client)
        if caller.isMultiple(of: 4) {
          _ = try await accounts.register(
            RegisterRequest(
              email: "stranger\(caller)@example.com", username: "Wanted", password: User.ada.password))
        } else {
          _ = try await accounts.changeUsername(
            ChangeUsernameRequest(username: "wanted"), .user(users[caller % 8]))
        }
      }

      #expect(results.refusals().allSatisfy { $0.reason == "USERNAME_TAKEN" }, "\(results.refusals())")
      #expect(
        try await identity.value(
          "select count(*) from accounts where lower(username) = 'wanted' and verified_at is not null") == "1")
      let told = try await identity.toldNames().filter { $0 == "wanted" }
      let winners = try await identity.value("select count(*) from accounts where username = 'wanted'")
      #expect("\(told.count)" == winners)
      #expect(try await identity.value("select count(*) from username_reservations") == winners)
    }
  }

  @Test("[ID-22] of 32 callers who want a name at the moment at which it is given up none gets it but its owner")
  func raceForReleased() async throws {
    try await RunningIdentity.with { identity in
      let users = try await identity.users(8)

      let results = await identity.race(32) { client, caller in
        let accounts = AccountsClient(client)
        switch caller % 4 {
        case 0: try await identity.rename(users[0], to: caller.isMultiple(of: 8) ? "given.up" : "user0")
        case 1:
          _ = try await accounts.register(
            RegisterRequest(
              email: "stranger\(caller)@example.com", username: "user0", password: User.ada.password))
        default:
          _ = try await accounts.changeUsername(
            ChangeUsernameRequest(username: "user0"), .user(users[1 + caller % 7]))
        }
      }

      let reasons = Set(results.refusals().map(\.reason))
      #expect(reasons.isSubset(of: ["USERNAME_TAKEN", "TOO_MANY_USERNAMES"]), "\(results.refusals())")
      let holders = try await identity.sql("select id from accounts where username = 'user0'")
      #expect(holders.isEmpty || holders == [[users[0].userID]])
      #expect(try await identity.stolenNames().isEmpty)
      #expect(try await identity.value("select count(*) from accounts") == "8")
    }
  }

  @Test("[ID-22] people who want each other's names at once get none of them")
  func swap() async throws {
    try await RunningIdentity.with { identity in
      let users = try await identity.users(4)

      let results = await identity.race(32) { client, caller in
        try await AccountsClient(client).changeUsername(
          ChangeUsernameRequest(username: "user\((caller + 1) % 4)"), .user(users[caller % 4]))
      }

      #expect(results.refusals().map(\.reason) == Array(repeating: "USERNAME_TAKEN", count: 32))
      let names = try await identity.value("select string_agg(username, ' ' order by username) from accounts")
      #expect(names == "user0 user1 user2 user3")
    }
  }

  @Test("[ID-22] one person's 32 changes at once end in the name that was told last, and five are let through")
  func raceOfOne() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.member()

      let results = await identity.race(32) { client, caller in
        try await AccountsClient(client).changeUsername(ChangeUsernameRequest(username: "name\(caller)"), .user(ada))
      }

      #expect(results.successes().count == 5)
      #expect(results.refusals().allSatisfy { $0.code == .resourceExhausted && $0.reason == "TOO_MANY_USERNAMES" })
      #expect(results.refusals().allSatisfy { $0.retryAfter == .seconds(30 * 86_400) })
      let told = try await identity.toldNames(of: ada)
      #expect(told.count == 6 && Set(told).count == 6)
      #expect(try await identity.value("select username from accounts") == told.last)
      let reserved = try await identity.sql("select username_key from username_reservations order by username_key")
      #expect(reserved == told.dropLast().sorted().map { [$0] })
    }
  }

  @Test("[ID-22] [ID-17] the name of an account that nobody has verified can be taken")
  func takesPending() async throws {
    try await RunningIdentity.with { identity in
      _ = try await identity.accounts.register(User.grace.registration)
      let ada = try await identity.loggedIn()

      try await identity.rename(ada, to: "grace.h")

      let holders = try await identity.sql("select id, username from accounts where verified_at is not null")
      #expect(holders == [[ada.userID, "grace.h"]])
    }
  }

  @Test("[ID-22] [C-9] a reservation goes with its owner's account")
  func deletion() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      try await identity.rename(ada, to: "lovelace")
      _ = try await identity.accounts.deleteAccount(
        DeleteAccountRequest(password: User.ada.password), .user(ada))

      try await identity.rename(grace, to: "ada")

      #expect(try await identity.sql("select username_key from username_reservations") == [["grace.h"]])
    }
  }

  @Test("[ID-22] the database itself keeps an account from a name that is reserved for another")
  func trigger() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))
      try await identity.rename(ada, to: "lovelace")

      await #expect(throws: (any Error).self) {
        try await identity.sql("update accounts set username = 'ADA' where id = '\(grace.userID)'")
      }

      #expect(try await identity.stolenNames().isEmpty)
    }
  }

  @Test("[ID-22] reservations that have lapsed are removed")
  func sweeps() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let clock = ManualClock()
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        try await identity.rename(try await identity.loggedIn(), to: "lovelace")
        #expect(try await identity.value("select count(*) from username_reservations") == "1")
      }
      clock.advance(by: .seconds(30 * 86_400))
      try await RunningIdentity.with(on: database, clock: clock) { identity in
        _ = try await eventually("it is gone") {
          try await identity.value("select 1 where not exists (select from username_reservations)")
        }
      }
    }
  }
  @Test("[ID-22] services alone list what people are called, and page by page they skip nobody who changes their name")
  func listed() async throws {
    try await TestDatabase.with([RunningIdentity.schema]) { database in
      let certificates = try SuiteCertificates()
      try await RunningIdentity.with(on: database, clock: ManualClock(), certificates: certificates) { identity in
        let users = try await identity.users(9).sorted { $0.userID < $1.userID }
        _ = try await identity.accounts.register(User.grace.registration)
        let pages = try await identity.with(client: "lending", certificates) { client in
          let directory = DirectoryClient(client)
          var (pages, token) = ([[NamedUser]](), "")
          repeat {
            let page = try await directory.listUsernames(ListUsernamesRequest(pageSize: 2, pageToken: token))
            (pages, token) = (pages + [page.users], page.nextPageToken)
            // A user who was listed and one who is still to come.
            try await identity.rename(users[pages.count - 1], to: "now\(pages.count - 1)")
            try await identity.rename(users[9 - pages.count], to: "now\(9 - pages.count)")
          } while !token.isEmpty
          return pages
        }
        let notAService = try await refusal {
          try await DirectoryClient(identity.client).listUsernames(ListUsernamesRequest(), .user(users[0]))
        }

        #expect(pages.map(\.count) == [2, 2, 2, 2, 1])
        #expect(
          pages.joined().map(\.userID) == users.map(\.userID), "in the order of their ids, and only the verified")
        let isNew = pages.joined().map { $0.username.hasPrefix("now") }
        #expect(isNew == Array(repeating: false, count: 6) + [true, true, true], "as each was when its page was read")
        #expect(notAService.code == .permissionDenied)
      }
    }
  }
}
