import ArgumentParser
import Environment
import FoundationEssentials
import Glibc
import Identifiers
import Postgres
import Reflection
import TTRPC
import TandemIdentity

/// `tandem test users`.
struct TestUsersCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "users", abstract: "Make users of a suite for tests.",
    usage: "tandem test users add mary", subcommands: [Add.self])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Make verified users with profiles, until the next reset.",
      usage: "eval \"$(tandem test users add mary,grace)\"")

    @Argument(help: "Their names, separated by commas.")
    var users: String

    @OptionGroup var place: HomeOption
    @OptionGroup var output: TestOutputOptions

    func run() async throws {
      let people = try TestPeopleOptions.parse(["--users", users])
      let folder = try TestFolder.running(place)
      let added = try await TestPeople.with(try folder.state) { try await $0.add(people.names) }
      var document = try folder.read()
      document.keep(added)
      try folder.write(document)
      output.show(document)
    }
  }
}

/// `tandem test token`.
struct TestTokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Print an access token of a user, good by the suite's clock, or one that is not.",
    usage: """
      tandem test token ada
      tandem test token ada --expired
      tandem test token ada --revoked
      """)

  @Argument(help: "The username.")
  var user: String

  @Flag(help: "One whose time is over.")
  var expired = false

  @Flag(help: "One whose session was logged out, as every service knows.")
  var revoked = false

  @OptionGroup var place: HomeOption

  func validate() throws {
    guard !(expired && revoked) else { throw ValidationError("a token is either --expired or --revoked") }
  }

  func run() async throws {
    let access = TestAccess(folder: try TestFolder.running(place))
    let token =
      if revoked { try await access.revokedToken(of: user) } else {
        try await access.token(of: user, isExpired: expired)
      }
    write("\(token)\n", to: STDOUT_FILENO)
  }
}

/// `tandem test clock`.
struct TestClockCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clock", abstract: "Move the clock of all programs of the suite, or read it.",
    usage: """
      tandem test clock
      tandem test clock +20m
      tandem test clock -1h30m
      tandem test clock at 2027-03-28T00:59:50Z
      tandem test clock real
      """,
    discussion: """
      Moves from what it shows, at once; it goes on from there. What is due by then happens, as it would by waiting. Access \
      tokens last ten minutes: `tandem test token` makes one that is good afterwards. Prints what the clock shows.
      """)

  @Argument(parsing: .allUnrecognized, help: ArgumentHelp("+TIME, -TIME, at MOMENT, or real.", valueName: "change"))
  var change: [String] = []

  @OptionGroup var place: HomeOption

  func run() async throws {
    let folder = try TestFolder.running(place)
    let clock = TestClock(path: folder.clock, databaseURL: try folder.read().text("databaseUrl"))
    switch (change.first, change.count) {
    case (nil, 0): break
    case ("real", 1): try await clock.set(ahead: .zero)
    case ("at", 2): try await clock.set(ahead: try Self.moment(change[1]) - SystemClock().now)
    case (let text?, 1): try await clock.set(ahead: try clock.ahead + (try Self.step(text)))
    default: throw Complaint(usage: "\(change.joined(separator: " ")) is not +TIME, -TIME, at MOMENT, or real")
    }
    write("\(try clock.now)\n", to: STDOUT_FILENO)
  }

  /// `+1h30m`, `-20s`.
  static func step(_ text: String) throws(Complaint) -> Duration {
    let units: [Character: Double] = ["d": 86_400, "h": 3_600, "m": 60, "s": 1]
    var (total, digits) = (0.0, "")
    let refusal = Complaint(usage: "\(text) is not a step such as +20m, -1h30m or +2d")
    guard let sign = text.first, "+-".contains(sign), text.count > 2 else { throw refusal }
    for character in text.dropFirst() {
      if let unit = units[character], let count = Double(digits) {
        (total, digits) = (total + count * unit, "")
      } else if character.isNumber || character == "." {
        digits.append(character)
      } else {
        throw refusal
      }
    }
    guard digits.isEmpty, total < 36_525 * 86_400 else { throw refusal }
    return .microseconds(Int64(total * 1_000_000) * (sign == "-" ? -1 : 1))
  }

  /// A moment of RFC 3339, with the distance to UTC.
  static func moment(_ text: String) throws(Complaint) -> Instant {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
    guard let date = try? style.parse(text) else {
      throw Complaint(usage: "\(text) is not a moment such as 2027-03-28T00:59:50Z")
    }
    return Instant(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
  }
}

/// `tandem test mail`.
struct TestMailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mail", abstract: "Print what was mailed to an address, as JSON with the links.",
    usage: """
      tandem test mail ada@example.org
      tandem test mail --wait --about password ada@example.org
      """,
    discussion:
      "An array, the oldest mail first: to, subject, date, text, links, the token of the first link that has one.")

  @Argument(help: "The address.")
  var address: String

  @Flag(help: "Wait, at most 10 s, until there is some.")
  var wait = false

  @Option(help: ArgumentHelp("Only mail with this in its subject.", valueName: "words"))
  var about: String?

  @OptionGroup var place: HomeOption

  func run() async throws {
    let mailbox = TestMailbox(folder: try TestFolder.running(place).workspace.mail)
    let found =
      wait
      ? try await mailbox.awaited(to: address, about: about) : mailbox.mail(to: address).filter { $0.isAbout(about) }
    write(JSONValue.array(found.map(\.json)).text() + "\n", to: STDOUT_FILENO)
  }
}

/// `tandem test reset`.
struct TestResetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Bring the suite back to what it was when it had just been started.",
    usage: "eval \"$(tandem test reset)\"",
    discussion: """
      The rows of every service, the mail and the clock. The users that `start` made stay, with sessions that work; what a \
      test had changed of them is undone. Streams that are still open are of the world before: close them first.
      """)

  @OptionGroup var place: HomeOption
  @OptionGroup var output: TestOutputOptions

  func run() async throws {
    let folder = try TestFolder.running(place)
    output.show(try await TestReset(folder: folder).run())
  }
}

extension TestFolder {
  /// What the running suite says of itself.
  var state: RunningSuite {
    get throws(Complaint) {
      guard let state = RunningSuite.find(in: Workspace(home: home)) else {
        throw Complaint("the suite of \(home) runs no more; `tandem test start` starts another one")
      }
      return state
    }
  }
}
