import Environment
import Glibc
import Identifiers
import Postgres
import TTRPCServer

/// One run of `tandem up`: database and services, until a stop is requested.
@MainActor
final class Suite {
  /// How long programs that are starting may do nothing.
  private static let timeout = Duration.seconds(60)
  private static let step = Duration.seconds(1)
  /// The processors' time below which that was nothing.
  private static let minWork = Duration.milliseconds(500)
  /// A little more than the services' own grace for running calls.
  private static let grace = RPCServer.defaultGrace + .seconds(2)

  private let plan: UpPlan
  private let workspace: Workspace
  private let log: LineLog
  private let supervisor: Supervisor
  private let began = ContinuousClock.now
  private var database: PrivateDatabase?
  private var databaseURL: DatabaseURL?
  private var adminURL = ""
  private var isFirstTime = false

  /// Runs the suite until a stop is requested.
  ///
  /// - Throws: if the suite does not start; everything is stopped then.
  static func run(_ plan: UpPlan) async throws {
    try Files.makeFolder(plan.home, mode: 0o711)
    let lock = try FolderLock(Workspace(home: plan.home))
    defer { withExtendedLifetime(lock) {} }
    let workspace = try workspace(of: plan)
    defer { if plan.isEphemeral { removeAll(workspace) } }
    try await Suite(plan, workspace).run()
  }

  private static func workspace(of plan: UpPlan) throws(Complaint) -> Workspace {
    guard plan.isEphemeral else { return Workspace(home: plan.home) }
    if let folder = plan.throwaway { return Workspace(home: plan.home, data: folder) }
    return try Workspace.ephemeral(home: plan.home)
  }

  private static func removeAll(_ workspace: Workspace) {
    do { try Files.remove(workspace.data) } catch { tell("tandem: \(error)") }
  }

  private init(_ plan: UpPlan, _ workspace: Workspace) async {
    self.plan = plan
    self.workspace = workspace
    let names = ["postgres"] + SuiteService.allCases.map(\.rawValue) + [GatewayProgram.name, "tandem"]
    log = LineLog(names: names, palette: Palette(for: STDERR_FILENO), holdingBack: !plan.isVerbose)
    supervisor = await Supervisor(log: log)
  }

  private func run() async throws {
    // Is cancelled at the end of this function, when nothing runs any more.
    async let _: Void = supervisor.run()
    do { try await serve() } catch {
      await stop()
      throw error
    }
    await stop()
  }

  private func serve() async throws {
    do { try await start() } catch is Stopped { return }
    try announce()
    if let whenReady = plan.whenReady {
      guard try await whenReady(readySuite()) else { return }
    } else {
      tell(try banner().text(Palette(for: STDERR_FILENO)))
      learnCompletions()
    }
    if plan.hasDemo { supervisor.start(DemoCommand.plan(workspace), restarts: .always) }
    if plan.showsTour { await tour() }
    log.release()
    await supervisor.wait(until: nil) { false }
    tell("stopping")
  }

  /// A stop was requested before the suite was ready.
  private struct Stopped: Error {}

  private func start() async throws {
    try workspace.prepare()
    log.file = LogFile(folder: workspace.log)
    if let template = plan.template { try TemplateCopy(template, to: workspace).copySecrets() }
    try PortCheck.require(plan.ports, withDatabase: plan.ownDatabase == nil)
    try Certificates(workspace: workspace, now: SystemClock().now).prepare()
    let url = if let own = plan.ownDatabase { own.url } else { try await startDatabase() }
    adminURL = url
    let parsed = try DatabaseURL(url, source: plan.ownDatabase?.source ?? "the database")
    databaseURL = parsed
    try await provision(url, parsed)
    try await plan.whenProvisioned?(url)
    try await startPrograms()
    if plan.ownDatabase == nil || plan.name != nil { try await loadSamplesOnce() }
  }

  // MARK: The database

  private func startDatabase() async throws -> String {
    let database = try PrivateDatabase(
      workspace, port: plan.ports.database, durability: plan.isEphemeral ? .thrownAway : .kept)
    self.database = database
    if let template = plan.template {
      try await TemplateCopy(template, to: workspace).copyDatabase(to: database)
    }
    isFirstTime = try await database.prepare()
    try checkForRequest()
    let member = supervisor.start(database.plan, restarts: .never)
    let isUp: @MainActor (Member) -> Bool = { $0.pid.map(database.isReady) ?? false }
    await wait(for: [member], until: isUp)
    try checkForRequest()
    guard isUp(member) else {
      log.showHeld(of: member.plan.name)
      throw Complaint(
        "PostgreSQL did not start: \(database.lastWords); all of its log is in \(database.log)/postgres.log")
    }
    supervisor.heal(member)
    try await database.makeDatabase()
    return database.adminURL(database: "tandem")
  }

  private func provision(_ url: String, _ parsed: DatabaseURL) async throws {
    let secrets = Secrets(workspace)
    let roles = try SuiteService.allCases.map { service in
      ServiceRole(
        service: service.rawValue, password: try secrets.password(named: service.rawValue), suite: plan.name)
    }
    do {
      try await Migrator.provision(adminURL: url, services: roles)
    } catch let error as PostgresError {
      throw Complaint("the database \(parsed.shown) cannot be prepared: \(error)")
    }
    for role in roles {
      let path = secrets.path("\(role.service)_database_url")
      try Files.write(parsed.url(user: role.name, password: role.password), to: path)
    }
  }

  // MARK: The programs

  private func startPrograms() async throws {
    try checkForRequest()
    let plans = try SuiteService.allCases.map { try servicePlan($0) }
    let gateway = try ServicePlans.gateway(workspace, plan.ports, plan.settings, console: console)
    let members = (plans + [gateway]).map { plan in
      unlink(workspace.readyFile(named: plan.name))
      return supervisor.start(plan, restarts: .never)
    }
    await wait(for: members, until: isReady)
    try checkForRequest()
    for member in members {
      guard member.end != nil || !isReady(member) else {
        supervisor.heal(member)
        continue
      }
      log.showHeld(of: member.plan.name)
      let reason = member.end.map { "\($0)" } ?? "is not ready, and was idle for \(seconds(Self.timeout))"
      throw Complaint("\(member.plan.name) \(reason) while the suite was starting; what it wrote is above")
    }
  }

  private func servicePlan(_ service: SuiteService) throws -> ChildPlan {
    var servicePlan = try ServicePlans.plan(service, workspace, plan.ports, plan.settings)
    // Its people are made from one address, as often as the demonstration is made anew.
    if plan.hasDemo, service == .identity {
      ServicePlans.addUnlessSet("IDENTITY", "REGISTRATIONS_OF_ADDRESS", "500/1h", to: &servicePlan)
    }
    return servicePlan
  }

  private var console: OperatorConsole? {
    plan.hasConsole ? OperatorConsole(workspace: workspace, ports: plan.ports, hasDemo: plan.hasDemo) : nil
  }

  private func isReady(_ member: Member) -> Bool { Files.exists(workspace.readyFile(named: member.plan.name)) }

  /// Waits until all are ready, one has ended or a stop is requested, or until for ``timeout`` those that are not ready have done
  /// nothing: on a busy machine they are slow, and not stuck.
  private func wait(for members: [Member], until isReady: @MainActor (Member) -> Bool) async {
    var (idle, work) = (Duration.zero, Duration.zero)
    // In steps: a machine that sleeps, or a suite that is halted, is not idle.
    while idle < Self.timeout {
      let isOver = await supervisor.wait(until: .now + Self.step) {
        members.contains { $0.end != nil } || members.allSatisfy { isReady($0) }
      }
      if isOver || supervisor.request != .none { return }
      idle += Self.step
      let present = members.filter { !isReady($0) }.map(\.work).reduce(.zero, +)
      // It is less where one has become ready, which is progress too.
      if present < work || present - work >= Self.minWork { (idle, work) = (.zero, present) }
    }
  }

  /// Loads the samples when a workspace is started for the first time, so that those that were removed stay removed. Not for the operator's
  /// own database.
  private func loadSamplesOnce() async throws {
    var marker = SamplesMarker(Files.text(workspace.samples))
    for service in marker.missing {
      marker.note(try await loadSamples(of: service), of: service)
      if !marker.services.isEmpty { try Files.write(marker.text, to: workspace.samples, mode: 0o644) }
    }
  }

  private func loadSamples(of service: SuiteService) async throws -> ProcessEnd? {
    var load = try ServicePlans.plan(service, workspace, plan.ports, plan.settings)
    (load.name, load.arguments, load.lines) = ("samples", ["load", "samples"], .dropped)
    let member = supervisor.start(load, restarts: .never)
    await supervisor.wait(until: .now + Self.timeout) { member.end != nil }
    try checkForRequest()
    if member.end != .exited(0) {
      tell("the samples of \(service.rawValue) were not loaded; `tandem samples load` says why")
    }
    return member.end
  }

  private func checkForRequest() throws {
    if supervisor.request != .none { throw Stopped() }
  }

  private func announce() throws {
    try Files.write(state.json.text() + "\n", to: workspace.state, mode: 0o644)
  }

  private var state: RunningSuite {
    var state = RunningSuite(
      pid: getpid(), authority: workspace.authority, database: databaseURL?.shown ?? "",
      databaseFolder: database?.folder ?? "", data: workspace.data, mail: workspace.mail,
      services: Dictionary(
        uniqueKeysWithValues: SuiteService.allCases.map { service in
          (
            service,
            .init(
              rpc: "127.0.0.1:\(plan.ports.rpc(service))", admin: "127.0.0.1:\(plan.ports.admin(service))")
          )
        }))
    state.gateway = "127.0.0.1:\(plan.ports.gateway)"
    if let console { state.console = console.address }
    return state
  }

  private func readySuite() -> ReadySuite {
    ReadySuite(state: state, workspace: workspace, databaseURL: adminURL)
  }

  private func banner() throws -> Banner {
    Banner(
      operatorLink: try console?.newLink(),
      suite: state, workspace: workspace, keeps: !plan.isEphemeral, relocation: database?.relocation,
      time: ContinuousClock.now - began, isFirstTime: isFirstTime)
  }

  /// Lists every service, which fills the cache for shell completion. The suite works without it.
  private func learnCompletions() {
    var list = ChildPlan(name: "list", program: "\(Paths.programFolder)/tandem", arguments: ["rpc", "list"])
    list.environment = ["TANDEM_HOME": workspace.home, "TANDEM_ADDRESS": nil, "TANDEM_CA": nil]
    list.lines = .dropped
    supervisor.start(list, restarts: .never)
  }

  private func tour() async {
    var tour = ChildPlan(name: "tour", program: "\(Paths.programFolder)/tandem", arguments: ["tour"])
    tour.environment = ["TANDEM_HOME": workspace.home]
    tour.lines = .plain
    let member = supervisor.start(tour, restarts: .never)
    await supervisor.wait(until: nil) { member.end != nil }
    guard supervisor.request == .none else { return }
    tell(
      member.end == .exited(0)
        ? "\nThe suite stays up; Ctrl-C stops it." : "\nThe tour failed; the suite stays up. Ctrl-C stops it.")
  }

  private func stop() async {
    unlink(workspace.state)
    let services = SuiteService.allCases.map(\.rawValue)
    await supervisor.stopAll(grace: Self.grace, stages: [[GatewayProgram.name], services, ["postgres"]])
    if let database, plan.isEphemeral, database.relocation != nil {
      do { try Files.remove(database.folder) } catch { tell("tandem: \(error)") }
    }
  }
}
