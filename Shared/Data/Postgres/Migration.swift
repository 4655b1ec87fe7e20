/// One step of a schema.
public struct Migration: Sendable, Hashable {
  /// Its number in the order of a schema's steps, from 1.
  public let version: Int
  /// A short name of what it does: `loans` of `V0005_loans.sql`, the name of the file of a library's.
  public let name: String
  /// UTF-8. Kept as bytes: those of a program's own files are part of the program, and a text would be a copy that is not used after the
  /// start.
  private let bytes: [UInt8]

  /// Its statements, run in one transaction with the schema as the search path.
  public var sql: String { String(decoding: bytes, as: UTF8.self) }

  public init(version: Int, name: String, sql: String) {
    self.init(version: version, name: name, bytes: Array(sql.utf8))
  }

  /// A step whose statements are UTF-8 bytes.
  public init(version: Int, name: String, bytes: [UInt8]) {
    (self.version, self.name, self.bytes) = (version, name, bytes)
  }

  /// `migration 5 (loans)`.
  public var title: String { "migration \(version) (\(name))" }
}

/// Why a schema could not be migrated. Each description is one line that says what to do.
public enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The step differs from the one that was run on the database.
  case edited(schema: String, migration: String)
  /// The database has run a migration that the program lacks although it has later ones.
  case missing(schema: String, version: Int, name: String)
  /// The versions of the program's migrations are not 1, 2, 3, ….
  case gap(migration: String)
  /// A migration failed; nothing of it remains.
  case failed(migration: String, reason: String)

  public var description: String {
    switch self {
    case .edited(let schema, let migration):
      "\(migration) was edited after it was run on schema \(schema): restore its file and put the change into a new one"
    case .missing(let schema, let version, let name):
      "schema \(schema) has run migration \(version) (\(name)), which this program lacks: start a program that has it"
    case .gap(let migration):
      "\(migration) does not follow its predecessor: number the migrations 1, 2, 3 without gaps"
    case .failed(let migration, let reason):
      "\(migration) failed and was undone: \(reason)"
    }
  }
}
