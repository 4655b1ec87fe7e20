public import Postgres

/// Checks a store's statements against its schema.
public enum StatementCheck {
  /// Prepares each statement on the database of `url`; returns a line for each that cannot be prepared.
  ///
  /// Columns are compared with the row's types when a statement first returns a row, in whatever test runs it.
  public static func problems(of statements: [any Statement.Type], url: String) async throws -> [String] {
    let texts = statements.map { (name: $0.name, sql: $0.sql) }
    return try await Administration.session(url) { session in
      var problems: [String] = []
      for (place, text) in texts.enumerated() {
        do {
          try session.run("prepare check_\(place) as \(text.sql)")
        } catch {
          problems.append("\(text.name): \(error)")
        }
      }
      return problems
    }
  }
}
