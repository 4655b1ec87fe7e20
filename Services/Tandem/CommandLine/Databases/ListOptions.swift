import ArgumentParser
import Identifiers
import Postgres

/// Which databases are listed, how many rows, and in which format.
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
  /// - Parameter statement: made with the largest number of rows.
  func show<Row: FoundRow, S: Statement>(
    _ type: Row.Type, _ statement: (_ limit: Int64) -> S
  ) async throws where S.Row == Row.Record {
    var found: [Row] = []
    for database in try ServiceDatabases.named(place) {
      // One row more than is shown reveals whether there are more.
      let records = try await database.rows(statement(Int64(limit) + 1))
      if records.count > limit {
        tell("tandem: \(database.service.rawValue) has more than \(limit); --limit shows more")
      }
      found += records.prefix(limit).map { Row(service: database.service, record: $0) }
    }
    Row.show(found, form.output)
  }
}

/// Parses an id on the command line.
///
/// - Parameter owner: what the id identifies, for the error message.
func uuidArgument(of owner: String) -> @Sendable (String) throws -> UUID7 {
  { text in
    guard let id = UUID7(text) else { throw ValidationError("\(text) is no \(owner)'s id: ids are UUIDs") }
    return id
  }
}
