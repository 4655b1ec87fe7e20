import ArgumentParser
import Glibc
import Postgres

/// `tandem provision`.
struct ProvisionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "provision", abstract: "Give each service its role and schema in a database.",
    usage: """
      TANDEM_DATABASE_URL_FILE=admin.url TANDEM_IDENTITY_DATABASE_URL_FILE=identity.url … tandem provision
      """,
    discussion: AdministrationText.discussion)

  @OptionGroup var database: AdminDatabaseOption

  func run() async throws {
    try await AdminDatabase(option: database.databaseURL).provision()
    tell("roles and schemas are there: \(SuiteService.allCases.map(\.rawValue).joined(separator: ", "))")
  }
}

/// `tandem migrate`.
struct MigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Provision, then bring every service's schema up to date.",
    usage: """
      TANDEM_DATABASE_URL_FILE=admin.url TANDEM_IDENTITY_DATABASE_URL_FILE=identity.url … tandem migrate
      """,
    discussion: AdministrationText.discussion)

  @OptionGroup var database: AdminDatabaseOption

  func run() async throws {
    try await AdminDatabase(option: database.databaseURL).provision()
    for service in SuiteService.allCases { try await Self.migrate(service) }
  }

  /// Runs `<service> migrate`: only the service has its migrations.
  private static func migrate(_ service: SuiteService) async throws {
    let program = "\(Paths.programFolder)/\(service.rawValue)"
    guard access(program, X_OK) == 0 else {
      throw Complaint("the program \(program) is missing: it belongs beside tandem")
    }
    let plan = ChildPlan(name: service.rawValue, program: program, arguments: ["migrate"])
    let output = try await CommandOutput(running: plan)
    write(output.text, to: output.end == .exited(0) ? STDOUT_FILENO : STDERR_FILENO)
    guard output.end == .exited(0) else {
      throw Complaint(
        "the schema of \(service.rawValue) is not up to date: `\(service.rawValue) migrate` \(output.end)")
    }
  }
}

/// The option that names the administrator's database.
struct AdminDatabaseOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The database, with a role that may create roles (TANDEM_DATABASE_URL, TANDEM_DATABASE_URL_FILE).",
      valueName: "url"))
  var databaseURL: String?
}

private enum AdministrationText {
  static let discussion = """
    Each service has a role tandem_NAME and a schema NAME, and no rights on another's. The roles' passwords come from \
    TANDEM_<SERVICE>_DATABASE_URL, or the file of TANDEM_<SERVICE>_DATABASE_URL_FILE. Running it again is harmless.

    Exit status: 0 done, 1 the database or a migration refused, 2 wrong usage.
    """
}
