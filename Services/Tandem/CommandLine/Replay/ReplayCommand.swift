import ArgumentParser
import Glibc
import TTRPC
import TTRPCClient
import TandemIdentity
import TandemTracking

/// `tandem replay`.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Play recorded tracks as users who are on their way now.",
    usage: """
      tandem replay walk.gpx --as ada --group 019abf2e-7d14-7c3e-9f42-0a1b2c3d4e5f --speed 60
      tandem replay ada.gpx hedy.gpx --as ada --as hedy --passwords users.txt --speed 60
      TANDEM_TOKEN="$TOKEN" tandem replay bus.gpx --times recorded --max-pause 60
      """,
    discussion: """
      Each GPX file is played by one user, all at the same time. Positions are reported when they are due, at most ten \
      messages a second for each user. They are seen by the groups of --group, which the user shares with as long as \
      the replay lasts, and by those that the user shares with anyway.

      Times: the first position is played at once, the others follow as they were recorded, divided by --speed. With \
      `--times live` each carries the time at which it is due, so viewers see a user who is that much faster. With \
      `--times recorded` the distances in time stay, and the last position is live: the first ones lie in the past, \
      24 hours at most.

      What recordings have: a pause lasts as long as it was recorded, --max-pause at most. Where the clock went back, \
      what follows is played on from there; positions with one time are spread up to the next. A single position whose time is out of line with its neighbours' is \
      left out. One without a time is played between its neighbours in the same segment, by the distance, or left out \
      if it has none there. Jumps are played as they are: beyond 340 m/s tracking does not believe them. All this is \
      counted before the replay begins.

      A service that is away is waited for. Ctrl-C ends the replay; sharing with --group ends, and what was logged in is \
      logged out.

      Exit status: 0 all was played, 1 something was not, 2 wrong usage, 130 ended by Ctrl-C; 64 + the code of a refused \
      call.
      """)

  @Argument(
    help: ArgumentHelp("GPX files, one for each user.", valueName: "file"), completion: .file(extensions: ["gpx"]))
  var files: [String]

  @Option(help: "How many times as fast as recorded, 0.1 to 10000.")
  var speed = 1.0

  @Option(help: ArgumentHelp("Longer pauses of a recording last so long.", valueName: "seconds"))
  var maxPause = 600.0

  @Option(help: "The times that positions carry: live or recorded.")
  var times = ReplayTimes.live

  @Option(
    name: .customLong("group"),
    help: ArgumentHelp("The id of a group to share with as long as the replay lasts; may be repeated.", valueName: "id")
  )
  var groups: [String] = []

  @OptionGroup var logins: ReplayLogins
  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var form: OutputOption

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("name a GPX file") }
    guard (0.1...10_000).contains(speed) else { throw ValidationError("--speed is a number from 0.1 to 10000") }
    guard (1...86_400).contains(maxPause) else {
      throw ValidationError("--max-pause is a number of seconds from 1 to 86400")
    }
  }

  func run() async throws {
    let logins = try self.logins.logins(for: files.count, ask: ReplayLogins.ask)
    let plans = try await self.plans()
    let isInterrupted = try await withClients { locations, accounts in
      let users = try await users(logins, locations, accounts)
      let players = zip(users, plans).map { ReplayPlayer(user: $0, plan: $1, speed: speed, times: times) }
      for (file, player) in zip(files, players) {
        for line in ReplayReport.lines(player.plan, of: file, as: player.user.name, speed: speed) { tell(line) }
      }
      let outcome: Replay.Outcome
      do { outcome = try await Replay(players: players, groups: groups).run() } catch {
        await leave(users)
        throw error
      }
      await leave(users)
      report(players)
      if let failure = outcome.failure { throw failure }
      return outcome.isInterrupted
    }
    // The exit status of shells for a command that Ctrl-C ended.
    if isInterrupted { throw ExitCode(128 + SIGINT) }
  }

  private func plans() async throws -> [ReplayPlan] {
    var plans: [ReplayPlan] = []
    for file in files { plans.append(try await plan(of: file)) }
    return plans
  }

  private func plan(of file: String) async throws -> ReplayPlan {
    let plan = ReplayPlan(try await Recording(.file(file)), maxPause: .milliseconds(Int64(maxPause * 1_000)))
    guard plan.steps.count > 1 else {
      throw Complaint(
        "\(file) cannot be played: fewer than two of its \(plan.findings.positions) track points have a time; "
          + "give a recording, a planned route has none")
    }
    guard times == .live || plan.duration < .seconds(86_400) else {
      throw Complaint(
        usage: "\(file) lasts \(ReplayReport.clock(plan.duration)), and tracking takes positions of the last 24 hours: "
          + "lower --max-pause, or play it with --times live")
    }
    return plan
  }

  private func withClients<Result: Sendable>(
    _ body: @Sendable (LocationsClient, AccountsClient?) async throws -> Result
  ) async throws -> Result {
    let tracking = try connection.target(for: Tour.locations)
    return try await ReflectingClient.with(tracking) { tracking in
      let locations = LocationsClient(tracking.connection)
      if logins.users.isEmpty { return try await body(locations, nil) }
      return try await ReflectingClient.with(try identity()) {
        try await body(locations, AccountsClient($0.connection))
      }
    }
  }

  private func identity() throws -> Target {
    if let address = logins.identityAddress ?? environment("TANDEM_IDENTITY_ADDRESS") {
      return try connection.target(at: address, connection.suite)
    }
    guard let suite = connection.suite, let address = suite.services[.identity]?.rpc else {
      throw Complaint(
        usage:
          "no identity service to log in at: name it by --identity-address, or put an access token into TANDEM_TOKEN")
    }
    return try connection.target(at: address, suite)
  }

  private func users(
    _ logins: [ReplayLogins.Login], _ locations: LocationsClient, _ accounts: AccountsClient?
  ) async throws -> [ReplayUser] {
    var users: [ReplayUser] = []
    for (number, login) in logins.enumerated() {
      switch login {
      case .accessToken(let token):
        let name = logins.count == 1 ? "the user" : "user \(number + 1)"
        users.append(ReplayUser(name: name, accessToken: token, locations: locations))
      case .password(let name, let password):
        guard let accounts else { continue }
        do {
          users.append(try await ReplayUser(name: name, password: password, accounts: accounts, locations: locations))
        } catch let status as Status {
          await leave(users)
          throw Complaint("\(name) cannot log in: \(status.text(.ofErrors))", exitStatus: status.exitStatus)
        }
      }
    }
    return users
  }

  private func leave(_ users: [ReplayUser]) async {
    for user in users {
      do { try await user.leave(groups) } catch {
        tell("tandem: \(user.name) may still share, or be logged in: \((error as? Status)?.message ?? "\(error)")")
      }
    }
  }

  private func report(_ players: [ReplayPlayer]) {
    for (file, player) in zip(files, players) {
      let text =
        form.output == .json
        ? ReplayReport.json(player, of: file).text(.oneLine)
        : ReplayReport.line(player.progress, of: player.user.name)
      write(text + "\n", to: STDOUT_FILENO)
      if player.progress.sent > 0, player.progress.groups == 0 {
        tell("tandem: no group saw \(player.user.name): name one by --group, or start a journey or sharing first")
      }
    }
  }
}
