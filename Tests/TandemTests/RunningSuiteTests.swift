import Reflection
import TestSupport
import Testing

@testable import tandem

/// What a user and an operator do with a suite that runs. None of it needs another's effects.
@Suite("a suite that runs on one machine", .ownThreads, .sharesSuite, .timeLimit(.minutes(20)))
struct RunningSuiteTests {
  private static let call = ["rpc", "call"]
  private static let options = "tandem.identity.v1.Profiles/ListProfileOptions"

  private let suite: SharedSuite
  private var place: SuitePlace { suite.place }

  init() throws { suite = try SharedSuite.current }

  private func run(_ arguments: [String], input: String? = nil) throws -> (
    output: String, errors: String, status: Int32
  ) {
    try place.run(arguments, input: input)
  }

  /// The completions for the method that a user has begun to type.
  private func completion(_ typed: String) throws -> String {
    let words = ["tandem", "rpc", "call", "--home", place.home, typed]
    let arguments = ["---completion", "rpc", "call", "--", "positional@0", "5", "\(typed.count)"]
    return try Command.tandem(arguments + words).finish().output
  }

  // MARK: its start

  @Test("the first start says that it is the first")
  func firstStart() {
    #expect(suite.firstStart.contains("Tandem is up after") && suite.firstStart.contains("the first time"))
  }

  @Test("the tour is walked to its end")
  func tour() {
    #expect(suite.tour.contains("That was the tour."))
  }

  @Test("D-12: the tour's session starts late enough for a slow machine, and is posted, joined and begun")
  func tourSession() {
    #expect(Tour.timeToMeet >= .seconds(20))
    for step in ["PostSession", "JoinSession", "CheckIn", "FinishSession"] {
      #expect(suite.tour.contains("\(step) {"), "\(step): \(suite.tour)")
    }
    #expect(!suite.tour.contains("SLOT_INVALID"))
  }

  @Test(
    "the tour shows what the suite is for",
    arguments: [
      ("[MA-15] 31 item 1: a match told to the poster", "NOTIFICATION_KIND_SESSION_MATCHED", "MarkRead"),
      ("[LE-16] 31 item 5: a scan without a loan's id", "FindScanned {\"isbn\":", "SCAN_MEANING_HAND_OVER"),
      ("[TR-5] 31 item 7: an SOS with its position", "StartSOS {\"position\":", "\"alertedMembers\":1"),
      ("[TR-5] T-3: a phone 90 s ahead in SOS", "clock is 90 s ahead", "seen at once"),
      ("[ID-20] 31 item 4: a reader of books without a gym profile", "has no gym profile", "GYM_PROFILE_MISSING"),
      ("[IM-10] I-3: a takeout with a broken member", "\"skipped\":[", "exercise-0.json"),
    ])
  func tourShows(what: String, call: String, answer: String) {
    #expect(suite.tour.contains(call) && suite.tour.contains(answer), "\(what): \(suite.tour)")
  }

  @Test("after the tour every invariant of every service holds")
  func invariants() throws {
    let check = try run(["check", "-o", "json"])

    #expect(check.status == 0, "\(check.output)\(check.errors)")
    let checked = try JSONValue(parsing: check.output).array ?? []
    #expect(Set(checked.compactMap { $0["service"]?.string }) == Set(SuiteService.allCases.map(\.rawValue)))
  }

  @Test("the tour plays a real track where the data sets are beside the project, else its own sample, and says which")
  func tourTrack() {
    let real = "../shared/data/tracks/gpx-tcx-togeojson/run.gpx"
    let played = "plays \(Files.exists(real) ? real : "the sample of a walk"): "
    #expect(suite.tour.contains(played), "\(suite.tour)")
    #expect(TourTrack.source(beside: "/nowhere/tandem").name == "the sample of a walk")
  }

  @Test("the next start finds the data")
  func nextStart() throws {
    let name = try suite.user("ada_")
    let request = #"{"email": "other@example.org", "username": "\#(name)", "password": "Analytical-engine-1843"}"#

    let taken = try run(Self.call + ["tandem.identity.v1.Accounts/Register", "-d", request])

    #expect(!suite.secondStart.contains("the first time"))
    #expect(taken.status != 0 && taken.errors.contains("The username is already taken"), "\(taken)")
  }

  @Test("a second start is refused with the process of the first")
  func secondStart() throws {
    let second = try run(["up"])

    #expect(
      second.status == 1 && second.errors.contains("already up") && second.errors.contains("process \(suite.pid)"))
  }

  @Test(
    "[CA-5] what the start says of loading is a command that a shell takes, and its database one that the loaders take")
  func loading() throws {
    let scratch = try Scratch()
    try scratch.write("book_id,isbn13,authors,title\n", to: "books.csv")
    for start in [suite.firstStart, suite.secondStart] {
      let line = try #require(start.split(separator: "\n").first { $0.contains("catalog load …") })
      let command = line.split(separator: " ", maxSplits: 1).last.map { "\($0)" } ?? ""
      let completed = command.replacing(
        "catalog load …", with: "\(Command.folder)/catalog load books \(scratch.path)/books.csv --format goodbooks")

      let loaded = try Command("/bin/sh", ["-c", completed]).finish()

      #expect(loaded.status == 0 && loaded.output.hasPrefix("0 records: 0 editions added"), "\(completed): \(loaded)")
    }
  }

  // MARK: what it says of itself

  @Test("methods are completed while they are typed")
  func completes() throws {
    #expect(try place.eventually { try completion("tandem.identity.v1.Accounts/Log") != "\n" })
    #expect(try completion("grpc.health.v1.Health/C") == "grpc.health.v1.Health/Check\n")
  }

  @Test("lists its services")
  func lists() throws {
    let list = try run(["rpc", "list"])

    #expect(list.output.contains("tandem.identity.v1.Accounts\n") && list.output.contains("tandem.rpc.v1.Reflection\n"))
  }

  @Test(
    "describes methods with who may call them",
    arguments: [
      ("tandem.identity.v1.Accounts/Login", ["rpc Login(", "// access: public"]),
      ("tandem.lending.v1.Loans/RetireBook", ["// access: service (catalog), idempotent"]),
      (
        "tandem.events.v1.EventLog/Follow",
        ["// access: service (at catalog: identity, lending; at identity: matching, catalog,"]
      ),
    ])
  func describes(method: String, parts: [String]) throws {
    let described = try run(["rpc", "describe", method]).output

    #expect(parts.allSatisfy { described.contains($0) }, "\(described)")
  }

  /// What the containers of a compose stack have in place of a suite's folder.
  private func named(by suite: RunningSuite) -> [String: String] {
    var variables = ["TANDEM_CA": suite.authority, "TANDEM_MAIL_FOLDER": suite.mail]
    for (service, address) in suite.services {
      variables["TANDEM_\(service.rawValue.uppercased())_ADDRESS"] = address.rpc
      variables["TANDEM_\(service.rawValue.uppercased())_ADMIN_ADDRESS"] = address.admin
    }
    return variables
  }

  @Test("[O-10] status and tour find the services that the environment names, as in a compose stack")
  func servicesElsewhere() throws {
    let variables = named(by: try #require(RunningSuite.find(in: Workspace(home: place.home))))

    let status = try Command.tandem(["status", "-o", "json"], environment: variables).finish()
    let services = try JSONValue(parsing: status.output).array ?? []
    let tour = try Command.tandem(["tour"], environment: variables).finish()

    #expect(status.status == 0 && services.count == 6, "\(status)")
    #expect(services.allSatisfy { $0["serving"] == .bool(true) && $0["version"]?.string != nil })
    #expect(tour.status == 0 && tour.output.contains("That was the tour."), "\(tour)")
  }

  @Test("[O-10] a tour without the folder of the mail, and a status without any service, say what to name")
  func nothingNamed() throws {
    var variables = named(by: try #require(RunningSuite.find(in: Workspace(home: place.home))))
    variables["TANDEM_MAIL_FOLDER"] = nil
    let scratch = try Scratch()

    let tour = try Command.tandem(["tour"], environment: variables).finish()
    let status = try Command.tandem(["status", "--home", scratch.path]).finish()

    #expect(tour.status == 1 && tour.errors.contains("TANDEM_MAIL_FOLDER"), "\(tour)")
    #expect(status.status == 1 && status.errors.contains("TANDEM_<SERVICE>_ADDRESS"), "\(status)")
  }

  @Test("tells the state of every service, and no database's password")
  func status() throws {
    let status = try run(["status", "-o", "json"])
    let services = try JSONValue(parsing: status.output.dropLast()).array ?? []

    #expect(status.status == 0 && services.count == 6)
    for service in services {
      #expect(service["serving"] == .bool(true) && (service["schemaVersion"]?.integer ?? 0) > 0)
      #expect(service["version"]?.string?.isEmpty == false && service["database"]?.string?.contains("***") == true)
    }
  }

  @Test("[IM-1] [CA-20] [LE-8] 31 item 9: names what is dead for lack of data or settings, each with its cure")
  func lacks() throws {
    let services = try JSONValue(parsing: try run(["status", "-o", "json"]).output.dropLast()).array ?? []
    let named = services.flatMap { service in
      (service["lacks"]?.array ?? []).map { "\(service["service"]?.string ?? "") \($0["subject"]?.string ?? "")" }
    }
    // The samples are loaded; real records and places are not, and nothing is set.
    let expected = [
      "identity mail", "identity push", "catalog records of books", "lending places", "importer providers of trackers",
    ]
    #expect(named == expected)

    let table = try run(["status"])
    #expect(table.status == 0 && table.output.contains("LACKS"))
    for cure in [
      "TANDEM_IDENTITY_MAIL=", "TANDEM_IDENTITY_PUSH_URL=", "tandem load defaults --from", "TANDEM_IMPORTER_TRACKERS=",
    ] {
      #expect(table.output.contains(cure), "\(table.output)")
    }
  }

  @Test("the doctor finds nothing")
  func doctor() throws {
    let doctor = try run(["doctor"])

    #expect(doctor.status == 0, "\(doctor.output)")
  }

  @Test("no job is given up")
  func jobs() throws {
    let jobs = try run(["jobs", "list", "-o", "json"])

    #expect(jobs.status == 0 && jobs.output == "[]\n", "\(jobs.output) \(jobs.errors)")
  }

  // MARK: calls

  @Test("a call is answered by its name alone")
  func answers() throws {
    let health = try run(Self.call + ["grpc.health.v1.Health/Check", "-o", "json"])

    #expect(health.output == #"{"status":"SERVING"}"# + "\n" && health.status == 0)
  }

  @Test("a refusal goes to standard error, and its code into the exit status")
  func refused() throws {
    let refused = try run(Self.call + ["tandem.identity.v1.Profiles/GetProfile", "-d", #"{"username": "nobody"}"#])

    #expect(refused.status == 80 && refused.output.isEmpty)
    #expect(refused.errors.contains("UNAUTHENTICATED (16)") && refused.errors.contains("TOKEN_MISSING"))
  }

  @Test("a refusal is told in JSON where that was asked for")
  func refusedInJSON() throws {
    let invalid = try run(
      Self.call + ["tandem.identity.v1.Accounts/Register", "-d", "@", "-o", "json"], input: #"{"email": "x"}"#)
    let status = try JSONValue(parsing: invalid.errors.dropLast())

    #expect(invalid.status == 67 && status["name"] == .string("INVALID_ARGUMENT"))
  }

  @Test(
    "a request that does not fit, and a method that there is not, have exit statuses of their own",
    arguments: [
      ([options, "-d", #"{"colour": 1}"#], 2), ([options, "-d", "{"], 2), (["nonsense"], 2),
      ([options, "--max-time", "0"], 2), (["tandem.identity.v1.Accounts/Fly"], 76),
      (["tandem.identity.v1.Flights/Fly"], 69),
    ] as [([String], Int32)])
  func exitStatuses(arguments: [String], status: Int32) throws {
    #expect(try run(Self.call + arguments).status == status)
  }

  @Test("an address where nothing listens is status 1, and says so")
  func nothingListens() throws {
    let nothing = try run(Self.call + [Self.options, "--address", "127.0.0.1:1"])

    #expect(nothing.status == 1 && nothing.errors.contains("nobody listens there"))
  }

  @Test("a call that takes too long is status 68")
  func late() throws {
    let late = try run(Self.call + [Self.options, "--max-time", "0.000001"])

    #expect(late.status == 68 && late.errors.hasPrefix("DEADLINE_EXCEEDED (4)"), "\(late.errors)")
  }

  // MARK: connections

  /// A call to identity's address, with options for its connection.
  private func connect(_ options: String...) throws -> (output: String, errors: String, status: Int32) {
    try run(Self.call + [Self.options, "--address", "localhost:\(place.ports.rpc(.identity))"] + options)
  }

  private var certificates: String {
    get throws { "\(try #require(RunningSuite.find(in: Workspace(home: place.home))).data)/certificates" }
  }

  @Test("the running suite's authority is known by both names of its address")
  func knownAuthority() throws {
    #expect(try connect().status == 0)
  }

  @Test("another authority can be named, and one that did not sign is named in the refusal")
  func namedAuthority() throws {
    let named = try connect("--ca", "\(certificates)/ca.crt")
    let distrust = try connect("--ca", "\(certificates)/identity.crt")

    #expect(named.status == 0)
    #expect(distrust.status == 1 && distrust.errors.contains("--ca"), "\(distrust.errors)")
  }

  @Test("a plaintext connection to a port with TLS is told what it may be")
  func plaintext() throws {
    let plain = try connect("--plaintext", "--max-time", "3")

    #expect(plain.status == 68 || plain.status == 1 && plain.errors.contains("it may speak TLS"), "\(plain.errors)")
  }

  @Test("a key that is not the certificate's is wrong usage")
  func foreignKey() throws {
    let mixed = try connect("--cert", "\(certificates)/operator.crt", "--key", "\(certificates)/lending.key")

    #expect(mixed.status == 2 && mixed.errors.contains("does not belong"), "\(mixed.errors)")
  }

  // MARK: operators

  @Test("an operator locks, finds and unlocks a user")
  func locksUser() throws {
    let user = try suite.user("ada_")
    let locked = try run(["users", "lock", "\(user)@example.org"])
    let found = try run(["users", "find", user])
    let unlocked = try run(["users", "unlock", user])

    #expect(locked.status == 0 && locked.output.contains("lockTime"), "\(locked)")
    #expect(found.output.hasSuffix("\(user)  \(user)@example.org  locked\n"), "\(found)")
    #expect(unlocked.status == 0 && !unlocked.output.contains("lockTime"), "\(unlocked)")
  }

  @Test("an operator deletes a user, and only when they say yes")
  func deletesUser() throws {
    let user = try suite.user("hedy_")
    let unasked = try run(["users", "delete", user])
    let deleted = try run(["users", "delete", user, "--yes"])
    let gone = try run(["users", "show", user])

    #expect(unasked.status == 2 && deleted.status == 0)
    #expect(gone.status == 1 && gone.errors.contains("there is no user \(user)"), "\(gone)")
  }

  @Test("[ID-26] an operator lists reports; one that there is not is neither shown nor closed, and closing says why")
  func reports() throws {
    let listed = try run(["reports", "list", "--all"])
    let id = "0197a5a0-0000-7000-8000-000000000009"
    let shown = try run(["reports", "show", id])
    let closed = try run(["reports", "close", id, "--reason", "Seen to it"])
    let unreasoned = try run(["reports", "close", id])

    #expect(listed.status == 0 && !listed.output.contains(id), "\(listed)")
    #expect(shown.status == 69 && shown.errors.contains("REPORT_NOT_FOUND"), "\(shown)")
    #expect(closed.status == 69 && unreasoned.status == 2, "\(closed) \(unreasoned)")
  }

  private static let accounts = "tandem.identity.v1.Accounts"
  private static let password = "Analytical-engine-1843"

  /// What a call answers.
  private func answer(_ method: String, _ request: String, token: String? = nil) throws -> JSONValue {
    let call = Self.call + [method, "-d", request, "-o", "json"] + (token.map { ["--token", $0] } ?? [])
    let called = try run(call)
    try #require(called.status == 0, "\(called)")
    return try JSONValue(parsing: called.output.dropLast())
  }

  /// Registers, verifies and logs in a user.
  private func newcomer(_ name: String) throws -> (id: String, token: String) {
    let email = "\(name)@example.org"
    _ = try answer(
      "\(Self.accounts)/Register", #"{"email": "\#(email)", "username": "\#(name)", "password": "\#(Self.password)"}"#)
    try #require(place.eventually { place.mailedToken(for: email) != nil })
    _ = try answer(
      "\(Self.accounts)/VerifyEmail",
      #"{"token": "\#(place.mailedToken(for: email) ?? "")", "password": "\#(Self.password)"}"#)
    let login = try answer(
      "\(Self.accounts)/Login", #"{"emailOrUsername": "\#(name)", "password": "\#(Self.password)"}"#)
    return (try #require(login["userId"]?.string), try #require(login["accessToken"]?.string))
  }

  @Test("[CA-2] 31: gyms are searched around a town that has none, where lending knows it")
  func gymsAroundTown() throws {
    let user = try newcomer("athlete")
    let found = try answer(
      "tandem.catalog.v1.Gyms/SearchGyms", #"{"query": "gym", "near": "Edmonton"}"#, token: user.token)
    let distances = (found["distancesM"]?.array ?? []).compactMap { value in
      if case .number(let text) = value { Double(text) } else { nil }
    }

    #expect(!distances.isEmpty && distances == distances.sorted(), "\(found)")
    let unknown = try run(
      Self.call + [
        "tandem.catalog.v1.Gyms/SearchGyms", "-d", #"{"query": "gym", "near": "Atlantis"}"#, "--token", user.token,
      ])
    #expect(unknown.status != 0 && unknown.errors.contains("PLACE_UNKNOWN"), "\(unknown)")
  }

  @Test("[ID-26] 31 item 11: a report that a user makes is listed, shown, and closed with who and why in its history")
  func readsReports() throws {
    let (reporter, reported) = (try newcomer("watchful"), try newcomer("unkind"))
    let made = try answer(
      "tandem.identity.v1.Safety/ReportUser",
      #"{"userId": "\#(reported.id)", "reason": "REPORT_REASON_SPAM", "remarks": "Ten messages a day"}"#,
      token: reporter.token)
    let id = try #require(made["reportId"]?.string)

    let listed = try run(["reports", "list", "--user", "unkind"])
    let shown = try run(["reports", "show", id])
    let closed = try run(["reports", "close", id, "--reason", "Warned by mail", "--actor", "mary"])
    let open = try run(["reports", "list"])
    let all = try run(["reports", "list", "--all"])
    let history = try run(["reports", "show", id])

    #expect(listed.output.contains(id) && listed.output.contains("by watchful"), "\(listed)")
    #expect(!listed.output.contains("closed"), "\(listed)")
    #expect(shown.status == 0 && shown.output.contains("Ten messages a day"), "\(shown)")
    #expect(closed.status == 0 && open.status == 0 && !open.output.contains(id), "\(closed) \(open)")
    let line = all.output.split(separator: "\n").first { $0.contains(id) }
    #expect(line?.contains("unkind") == true && line?.contains("closed ") == true, "\(all)")
    for part in ["RECEIVED", "CLOSED", "mary", "Warned by mail"] {
      #expect(history.output.contains(part), "\(history)")
    }
  }

  @Test("without a provider no trackers are listed")
  func listsTrackers() throws {
    let listed = try run(["trackers", "list"])

    #expect(listed.status == 0 && listed.output.isEmpty, "\(listed)")
  }

  @Test("a tracker that is not configured is neither fetched from nor paused", arguments: ["sync", "pause"])
  func unknownTracker(method: String) throws {
    let refused = try run(["trackers", method, "strava"])

    #expect(refused.status != 0 && refused.errors.contains("There is no such tracker"), "\(refused)")
  }

  @Test("an operator rotates the key, not twice at once, and lists both")
  func rotatesKeys() throws {
    let rotated = try run(["keys", "rotate"])
    let again = try run(["keys", "rotate"])
    let listed = try run(["keys", "list"])

    #expect(rotated.status == 0 && rotated.output.contains("keyId"), "\(rotated)")
    #expect(again.status == 73 && again.errors.contains("ROTATION_UNDER_WAY"), "\(again)")
    #expect(listed.output.split(separator: "\n").count == 2 && listed.output.contains("accepted until"), "\(listed)")
  }
}
