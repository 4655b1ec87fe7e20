public import Postgres

/// Checks the conventions of a service's schema.
public enum SchemaCheck {
  /// A line for each of `statements` that cannot be prepared in the service's role, and for each table, column and view without a comment.
  ///
  /// - Parameter schema: its name, which is the service's.
  /// - Throws: ``Postgres/PostgresError`` where the database does not answer.
  public static func problems(
    of schema: String, in database: TestDatabase, statements: [any Statement.Type]
  ) async throws -> [String] {
    let bare = try await database.sql(
      """
      select c.relname || '.' || a.attname || ' has no comment' from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum >= 0 and not a.attisdropped
      where c.relnamespace = '\(schema)'::regnamespace and c.relkind = 'r' and col_description(c.oid, a.attnum) is null
      union all
      select c.relname || ' has no comment' from pg_class c
      where c.relnamespace = '\(schema)'::regnamespace and c.relkind in ('r', 'v')
        and obj_description(c.oid, 'pg_class') is null
      """
    ).compactMap { $0.first ?? nil }
    return try await StatementCheck.problems(of: statements, url: database.url(of: schema)) + bare
  }
}
