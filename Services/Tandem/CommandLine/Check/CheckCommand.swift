import ArgumentParser
import Glibc
import Invariants
import Postgres
import Reflection

/// `tandem check`.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check that what the rules promise holds in the databases, as they are now.",
    usage: """
      tandem check
      tandem check --service lending -o json
      """,
    discussion: """
      Each service's invariants are read-only queries that find violations, for example a book that is lent to two users. They read \
      whole tables, on one state of a database, while the services go on. Databases are found as `tandem jobs` finds them.

      Exit status: 0 everything holds, 1 something does not, a query takes too long, or a database is not reached, 2 wrong usage.
      """)

  @OptionGroup var place: DatabaseOptions
  @OptionGroup var form: OutputOption
  @Option(help: ArgumentHelp("Seconds that one query may take.", valueName: "seconds"))
  var timeout = Int(InvariantCheck.defaultTimeout / .seconds(1))

  func validate() throws {
    guard (1...86_400).contains(timeout) else { throw ValidationError("--timeout is from 1 to 86400 seconds") }
  }

  func run() async throws {
    var found: [CheckedInvariant] = []
    for database in try ServiceDatabases.named(place) {
      found += try await checked(database)
    }
    CheckedInvariant.show(found, form.output)
    let broken = found.count { !$0.finding.violations.isEmpty }
    guard broken == 0 else { throw Complaint("\(broken) of \(found.count) invariants do not hold") }
  }

  private func checked(_ database: ServiceDatabase) async throws -> [CheckedInvariant] {
    let service = database.service
    let isShown = isatty(STDERR_FILENO) == 1
    do {
      let findings = try await InvariantCheck.run(
        service.rawValue, at: database.text, timeout: .seconds(timeout)
      ) { place, count in
        if isShown {
          write("\r\(service.rawValue): \(place) of \(count)\(place == count ? "\n" : "")", to: STDERR_FILENO)
        }
      }
      return findings.map { CheckedInvariant(service: service, finding: $0) }
    } catch let error as PostgresError {
      throw Complaint("the database of \(service.rawValue) (\(database.url.shown)): \(error)")
    }
  }
}

/// What was found out about an invariant of a service.
private struct CheckedInvariant {
  let service: SuiteService
  let finding: InvariantFinding

  /// A line for each invariant with its violations below it, or an array.
  static func show(_ found: [CheckedInvariant], _ form: OutputForm) {
    if form == .json { return write(JSONValue.array(found.map(\.json)).text() + "\n", to: STDOUT_FILENO) }
    for invariant in found { write(invariant.text, to: STDOUT_FILENO) }
  }

  private var text: String {
    let verdict = finding.violations.isEmpty ? "holds " : "BROKEN"
    let violations = finding.violations.map { "          \($0)\n" }.joined()
    return "\(verdict)  \(service.rawValue): \(finding.invariant.title)\n" + violations
      + (finding.hasMore ? "          and more\n" : "")
  }

  private var json: JSONValue {
    .members([
      "service": .string(service.rawValue), "invariant": .string(finding.invariant.title),
      "holds": .bool(finding.violations.isEmpty),
      "violations": .array(finding.violations.map { .string($0) }), "hasMore": .bool(finding.hasMore),
    ])
  }
}
