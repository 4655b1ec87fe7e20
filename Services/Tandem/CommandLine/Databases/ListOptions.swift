import ArgumentParser
import Identifiers
import Postgres

/// How much of which databases is listed, and how.
struct ListOptions: ParsableArguments {
  @Option(help: ArgumentHelp("At most so many of each service, 1 to 10000.", valueName: "number"))
  var limit = 100

  @OptionGroup var place: DatabaseOptions
  @OptionGroup var form: OutputOption

  func validate() throws {
    guard (1...10_000).contains(limit) else { throw ValidationError("--limit is a number from 1 to 10000") }
  }

  /// Lists what a statement finds in each database.
  ///
  /// - Parameter statement: finds so many rows.
  func show<Row: FoundRow, S: Statement>(
    _ type: Row.Type, _ statement: (_ limit: Int) -> S
  ) async throws where S.Row == Row.Record {
    var found: [Row] = []
    for database in try ServiceDatabases.named(place) {
      // One more than is shown tells that there are more.
      let records = try await database.rows(statement(limit + 1))
      if records.count > limit {
        tell("tandem: \(database.service.rawValue) has more than \(limit); --limit shows more")
      }
      found += records.prefix(limit).map { Row(service: database.service, record: $0) }
    }
    Row.show(found, form.output)
  }
}

/// Reads an id on the command line.
///
/// - Parameter owner: whose id it is, for the complaint about one that is none.
func uuidArgument(of owner: String) -> @Sendable (String) throws -> UUID7 {
  { text in
    guard let id = UUID7(text) else { throw ValidationError("\(text) is no \(owner)'s id: ids are UUIDs") }
    return id
  }
}
