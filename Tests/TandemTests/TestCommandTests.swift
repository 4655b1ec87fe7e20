import Glibc
import Identifiers
import Postgres
import Reflection
import TTRPC
import TestSupport
import Testing

@testable import tandem

/// `tandem test`, as who tests a gateway uses it.
@Suite("35 item 1: a suite for tests", .ownThreads, .timeLimit(.minutes(15)))
struct TestCommandTests {
  private static let account = "tandem.identity.v1.Accounts/GetOwnAccount"
  private static let groups = "tandem.identity.v1.Groups"

  private let place: TestPlace

  init() throws { place = try TestPlace() }

  @Test("it has the users that were asked for, verified and with profiles, and of its end nothing is left")
  func startsAndStops() throws {
    let suite = try place.start("ada,hedy")
    for name in ["ada", "hedy"] {
      let account = try suite.json(
        "rpc", "call", Self.account, "--token", suite.user(name, "accessToken"), "-o", "json")
      #expect(account["username"]?.string == name && account["emailVerifyTime"]?.string != nil)
      #expect(account["missing"]?.array?.count == 1, "a picture alone: \(account)")
    }

    let stopped = try suite.tandem("test", "stop")

    #expect(stopped.status == 0, "\(stopped)")
    #expect(place.isEmpty, "\(place.remains)")
  }

  @Test("its clock is moved for all services at once, and tokens are made for it, or for none")
  func clockAndTokens() throws {
    let suite = try place.start("ada")
    let old = suite.user("ada", "accessToken")
    let shown = try suite.tandem("test", "clock", "at", "2031-03-28T00:59:50Z").output
    #expect(shown.hasPrefix("2031-03-28T00:59:5"))

    for method in [
      Self.account, "tandem.matching.v1.Sessions/ListMySessions", "tandem.catalog.v1.Books/ListMyBooks",
      "tandem.lending.v1.Loans/ListMyRequests", "tandem.tracking.v1.Places/ListPlaces",
      "tandem.importer.v1.Activities/ListActivities",
    ] {
      let refused = try suite.tandem("rpc", "call", method, "--token", old)
      let good = try suite.tandem("rpc", "call", method, "--token", try suite.token("ada"))
      #expect(refused.errors.contains("TOKEN_EXPIRED") && good.status == 0, "\(method): \(refused) \(good)")
    }
    let expired = try suite.tandem("rpc", "call", Self.account, "--token", try suite.token("ada", "--expired"))
    #expect(expired.errors.contains("TOKEN_EXPIRED"), "\(expired)")
    let revoked = try suite.tandem(
      "rpc", "call", "tandem.lending.v1.Loans/ListMyRequests", "--token", try suite.token("ada", "--revoked"))
    #expect(revoked.errors.contains("TOKEN_REVOKED"), "\(revoked)")
  }

  @Test("[MA-10] after a jump over a session's window who did not come is barred: the jump is no outage")
  func barredAfterJump() throws {
    let suite = try place.start("ada,hedy")
    let near = try suite.call(
      "tandem.catalog.v1.Gyms/FindNearestGyms", #"{"point":{"latitude":51.5033,"longitude":-0.1276},"pageSize":1}"#,
      "ada")
    let gym = try #require(near["gyms"]?.array?.first?["gym"]?["gymId"]?.string)
    let now = try TestClockCommand.moment(String(try suite.tandem("test", "clock").output.dropLast()))
    let slot = #""startTime":"\#(now + .seconds(7_200))","endTime":"\#(now + .seconds(10_800))""#
    let posted = try suite.call(
      "tandem.matching.v1.Sessions/PostSession",
      #"{\#(slot),"gymId":"\#(gym)","focus":"FOCUS_STRENGTH","level":"LEVEL_ADVANCED"}"#, "ada")
    let id = try #require(posted["sessionId"]?.string)
    _ = try suite.call("tandem.matching.v1.Sessions/JoinSession", #"{"sessionId":"\#(id)"}"#, "hedy")

    _ = try suite.tandem("test", "clock", "+2h20m")

    let token = try suite.token("hedy")
    #expect(
      try suite.eventually {
        let bars = try suite.json(
          "rpc", "call", "tandem.matching.v1.Sessions/ListMyBars", "--token", token, "-o", "json")
        return bars["bars"]?.array?.count == 1
      })
  }

  @Test("a reset undoes what was done to its users, whom it keeps, and who was logged out is logged in again")
  func reset() throws {
    let suite = try place.start("ada")
    _ = try suite.call("\(Self.groups)/CreateGroup", #"{"group":{"name":"Early birds"}}"#, "ada")
    _ = try suite.call("tandem.identity.v1.Accounts/ChangeUsername", #"{"username":"countess"}"#, "ada")
    _ = try suite.call("tandem.identity.v1.Accounts/LogoutEverywhere", "{}", "ada")
    #expect(try suite.tandem("test", "users", "add", "mary").status == 0)
    _ = try suite.tandem("test", "clock", "+2d")

    for _ in 1...2 {
      let document = try JSONValue(parsing: try suite.tandem("test", "reset", "--json").output)
      let token = try #require(document["users"]?["ada"]?["accessToken"]?.string)
      #expect(document["users"]?.members?.map(\.name) == ["ada"])
      let account = try suite.json("rpc", "call", Self.account, "--token", token, "-o", "json")
      let groups = try suite.json("rpc", "call", "\(Self.groups)/ListGroups", "--token", token, "-o", "json")
      #expect(account["username"] == .string("ada") && groups["groups"] == nil, "\(account) \(groups)")
    }
    #expect(Files.names(in: suite.text("mail")).isEmpty)
    #expect(try suite.tandem("check").status == 0)
  }

  @Test("mail is waited for, and has its links and the token in them")
  func mail() throws {
    let suite = try place.start("ada")
    _ = try suite.tandem(
      "rpc", "call", "tandem.identity.v1.Accounts/RequestPasswordReset", "-d", #"{"email":"ada@example.org"}"#)

    let mail = try suite.json("test", "mail", "--wait", "--about", "password", "ADA@example.org").array?.last

    let link = try #require(mail?["links"]?.array?.first?.string)
    let token = try #require(mail?["token"]?.string)
    #expect(link.hasPrefix(suite.text("gateway")) && link.contains(token))
  }

  @Test("`run` gives a command the suite's variables and ends with its status, and nothing is left")
  func run() throws {
    let script = #"test -n "$TANDEM_TEST_ADA_TOKEN" && test -f "$TANDEM_HOME/test.json" && exit 7"#
    let done = try SuiteTurns.take {
      try place.tandem(["test", "run", "--users", "ada", "--", "/bin/sh", "-c", script]).finish()
    }
    let killed = try SuiteTurns.take {
      try place.tandem(["test", "run", "--", "/bin/sh", "-c", "kill -9 $$"]).finish()
    }

    #expect(done.status == 7 && killed.status == 137, "\(done) \(killed)")
    #expect(place.isEmpty, "\(place.remains)")
  }

  @Test("what it did not start is left alone", arguments: [["stop"], ["reset"], ["clock", "+1m"], ["token", "ada"]])
  func strangers(command: [String]) throws {
    let scratch = try Scratch()
    try scratch.write("{}", to: "state.json")

    let refused = try place.tandem(["test"] + command + ["--home", scratch.path]).finish()
    let unnamed = try place.tandem(["test"] + command).finish()

    #expect(refused.status == 1 && refused.errors.contains("is not a suite that `tandem test start` started"))
    #expect(unnamed.status == 2 && unnamed.errors.contains("TANDEM_HOME"), "\(unnamed)")
  }

  @Test("a suite whose user was killed ends with them")
  func attached() throws {
    let user = try place.tandem(["test", "start", "--attached", "--json"], isTalkedTo: true)
    // A suite starts meanwhile.
    _ = try #require(user.outputLine(within: 300))
    user.signal(SIGKILL)
    _ = user.finish()

    #expect(try place.eventually { place.isEmpty }, "\(place.remains)")
  }

  @Test("two suites on one server do not meet, and leave no database and no role, though one of them is killed")
  func sharedServer() async throws {
    let cluster = try PrivateCluster.start()
    let suites = [
      try place.start("ada", "--database-url", cluster.url), try place.start("ada", "--database-url", cluster.url),
    ]
    let ids = suites.map { $0.user("ada", "id") }
    #expect(Set(ids).count == 2)
    let stranger = try suites[0].tandem("rpc", "call", Self.account, "--token", suites[1].user("ada", "accessToken"))
    #expect(stranger.errors.contains("UNAUTHENTICATED"), "\(stranger)")
    #expect(try suites[0].tandem("test", "reset").status == 0)

    #expect(try suites[0].tandem("test", "stop").status == 0)
    kill(pid_t(suites[1].document["pid"]?.integer ?? 0), SIGKILL)

    #expect(try place.eventually { place.isEmpty }, "\(place.remains)")
    #expect(try await place.remnants(on: cluster) == [])
  }

  @Test("a clock that tests move is refused where others can reach the service")
  func production() throws {
    let scratch = try Scratch()
    try scratch.write("12345678", to: "clock")
    let settings = [
      "--plaintext", "--database-url", "postgresql://x@127.0.0.1:1/x", "--mail", "folder:\(scratch.path)",
      "--seal-key", "k1:\(String(repeating: "A", count: 43))", "--development-clock", "\(scratch.path)/clock",
    ]

    let refused = try Command("\(Command.folder)/identity", settings + ["--listen", "0.0.0.0:0"]).finish()

    #expect(refused.status == 2 && refused.errors.contains("can be reached from elsewhere"), "\(refused)")
  }

  @Test("35 item 5: a call takes the token of a user by name, and a refusal says what to do, as reasons.json does")
  func tokenOf() throws {
    let suite = try place.start("ada")
    let account = try suite.json("rpc", "call", Self.account, "--token-of", "ada", "-o", "json")
    let unknown = try suite.tandem("rpc", "call", Self.account, "--token-of", "grace")
    let refused = try suite.tandem("rpc", "call", Self.account)

    #expect(account["username"] == .string("ada"))
    #expect(unknown.status == 1 && unknown.errors.contains("has no user grace"), "\(unknown)")
    #expect(refused.errors.hasSuffix("remedy: Authenticate again, then repeat the call.\n"), "\(refused)")
    let reasons =
      try JSONValue(parsing: try #require(Files.text("Proto/Generated/reasons.json")))["reasons"]?.array ?? []
    #expect(!reasons.isEmpty)
    for reason in reasons {
      let codes = reason["codes"]?.array?.compactMap(\.string) ?? []
      let code = try #require(Code.allCases.first { $0.name == codes.first })
      #expect(
        Remedy.text(code, hasRetryInfo: reason["retry_info"] == .bool(true)) == reason["remedy"]?.string, "\(reason)")
    }
  }

  @Test("35 item 5: --watch writes an answer again only where it differs")
  func watch() throws {
    let suite = try place.start("ada")
    let watching = try place.tandem(
      ["rpc", "call", "\(Self.groups)/ListGroups", "--token-of", "ada", "--watch", "-o", "json"],
      home: suite.text("home"))
    #expect(watching.outputLine() == "{}")
    _ = try suite.call("\(Self.groups)/CreateGroup", #"{"group":{"name":"Early birds"}}"#, "ada")
    #expect(watching.outputLine()?.contains("Early birds") == true)
    watching.signal(SIGINT)
    _ = watching.finish()
  }

  @Test(
    "steps of the clock are read as they are written",
    arguments: [("+20m", 1_200), ("-1h30m", -5_400), ("+2d", 172_800), ("+1.5s", 1)] as [(String, Int64)])
  func steps(text: String, wholeSeconds: Int64) throws {
    #expect(try TestClockCommand.step(text).components.seconds == wholeSeconds)
  }

  @Test("what is no step or no moment is refused", arguments: ["20m", "+", "+m", "+3", "+1x", "soon"])
  func noSteps(text: String) {
    #expect(throws: Complaint.self) { try TestClockCommand.step(text) }
    #expect(throws: Complaint.self) { try TestClockCommand.moment(text) }
  }
}
