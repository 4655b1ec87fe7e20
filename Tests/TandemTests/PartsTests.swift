import Testing

@testable import tandem

@Suite("parts of the command line")
struct PartsTests {
  @Test("a program that keeps ending is started later each time, and soon again after a good run")
  func restarts() {
    var policy = RestartPolicy()
    let pauses = (0..<8).map { _ in policy.nextPause(afterRunning: .seconds(1)) }
    #expect(pauses.prefix(3) == [.milliseconds(200), .milliseconds(400), .milliseconds(800)])
    #expect(pauses.last == RestartPolicy.maxPause)
    #expect(policy.nextPause(afterRunning: .seconds(31)) == RestartPolicy.firstPause)
  }

  @Test("lines are cut where they end, and endless ones at a limit")
  func lines() {
    var splitter = LineSplitter()
    #expect(splitter.take("a\nb".utf8) == ["a"])
    #expect(splitter.take("c\n\nd".utf8) == ["bc"])
    #expect(splitter.takeRest() == ["d"] && splitter.takeRest().isEmpty)
    #expect(
      splitter.take(Array(repeating: 0x61, count: LineSplitter.maxLineLength + 1)).map(\.count) == [
        LineSplitter.maxLineLength
      ])
  }

  @Test("a method is named with a slash or a dot")
  func methodNames() {
    #expect(MethodName("a.b.C/D") == MethodName("a.b.C.D") && MethodName("/a.b.C/D")?.service == "a.b.C")
    #expect(MethodName("D") == nil && MethodName("a.b.C/") == nil && MethodName("/D") == nil)
  }

  @Test("a method's name is enough to find its service")
  func finding() {
    #expect(SuiteService(answering: "tandem.identity.v1.Accounts") == .identity)
    #expect(SuiteService(answering: "tandem.chat.v1.Chat") == .tracking)
    #expect(SuiteService(answering: "grpc.health.v1.Health") == nil)
  }

  @Test("[O-10] services elsewhere are asked for their health at the standard port, or where the environment says")
  func servicesElsewhere() {
    let variables = [
      "TANDEM_IDENTITY_ADDRESS": "identity:7401", "TANDEM_CATALOG_ADDRESS": "[::1]:1",
      "TANDEM_CATALOG_ADMIN_ADDRESS": "[::1]:2",
    ]

    let suite = ReachableSuite(environment: { variables[$0] })

    #expect(
      suite?.services == [
        .identity: RunningSuite.Address(rpc: "identity:7401", admin: "identity:7501"),
        .catalog: RunningSuite.Address(rpc: "[::1]:1", admin: "[::1]:2"),
      ])
    #expect(suite?.authority == nil && suite?.mail == nil && ReachableSuite(environment: { _ in nil }) == nil)
  }

  @Test("a database URL is rewritten for another role, with its hosts and parameters")
  func databaseURLs() throws {
    let url = try DatabaseURL("postgresql://ad%40min:p%3Aw@a:1,b:2/tandem?sslmode=require", source: "it")
    #expect(url.user == "ad@min" && url.password == "p:w")
    #expect(url.url(user: "r", password: "s") == "postgresql://r:s@a:1,b:2/tandem?sslmode=require")
    #expect(url.shown == "postgresql://ad@min@a:1,b:2/tandem?sslmode=require")
    #expect(
      try DatabaseURL("postgres:///tandem", source: "it").url(user: "r", password: "s") == "postgres://r:s@/tandem")
    #expect(throws: Complaint.self) { try DatabaseURL("host=a", source: "it") }
  }

  @Test("a folder that cannot be made where all above it is there is refused, and not tried for ever")
  func folders() {
    let refusal = #expect(throws: Complaint.self) { try Files.makeFolder("/proc/tandem/home") }
    #expect(refusal?.description == "/proc/tandem cannot be made: No such file or directory")
  }

  @Test("help begins with examples")
  func help() {
    for help in [
      Tandem.helpMessage(), Tandem.helpMessage(for: UpCommand.self), Tandem.helpMessage(for: CallCommand.self),
    ] {
      #expect(HelpText.withExamplesFirst(help).hasPrefix("EXAMPLES:\n  "))
    }
  }

  @Test("secrets are shortened wherever they are")
  func secrets() {
    let shown = Shortening.shortened(
      .members(["a": .array([.members(["accessToken": .string("abcdefghijklmnop")])]), "password": .string("pw")]))
    #expect(shown.text(.oneLine) == #"{"a":[{"accessToken":"abcdef…"}],"password":"…"}"#)
  }
}
