/// One step of a schema, from the file of the same name.
public struct Migration: Sendable, Hashable {
  /// Its place in the order, from 1.
  public let version: Int
  /// What it does in one or two words: `accounts` of `V0001_accounts.sql`.
  public let name: String
  /// Kept as bytes: those of a program's own files are part of the program, a text of them would be a copy that nobody reads after the start.
  private let bytes: [UInt8]

  /// Its statements, run in one transaction with the schema as the search path.
  public var sql: String { String(decoding: bytes, as: UTF8.self) }

  /// Describes a step.
  public init(version: Int, name: String, sql: String) {
    self.init(version: version, name: name, bytes: Array(sql.utf8))
  }

  /// Describes a step whose statements are there as bytes of UTF-8.
  public init(version: Int, name: String, bytes: [UInt8]) {
    self.version = version
    self.name = name
    self.bytes = bytes
  }

  /// Describes the step that `file`, `V0001_accounts.sql` for example, holds as bytes.
  public init(file: String, bytes: [UInt8]) {
    let parts = file.split(separator: "_", maxSplits: 1)
    let digits = parts.first?.dropFirst() ?? ""
    guard file.hasPrefix("V"), file.hasSuffix(".sql"), parts.count == 2, let version = Int(digits) else {
      preconditionFailure("\(file): a migration's file is named V0001_name.sql")
    }
    self.init(version: version, name: String(parts[1].dropLast(4)), bytes: bytes)
  }

  /// `V0001_accounts.sql`.
  public var file: String {
    let digits = "\(version)"
    return "V" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "_\(name).sql"
  }
}

/// Why a schema could not be brought up to date. Each is one line that says what to do.
public enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file differs from what was run on the database.
  case edited(schema: String, file: String)
  /// The database has run a migration that the program lacks although it has later ones.
  case missing(schema: String, version: Int, name: String)
  /// The versions of the program's migrations are not 1, 2, 3, ….
  case gap(file: String)
  /// A migration failed; nothing of it remains.
  case failed(file: String, reason: String)

  /// What to do.
  public var description: String {
    switch self {
    case .edited(let schema, let file):
      "\(file) was edited after it was run on schema \(schema): restore the file and put the change into a new migration"
    case .missing(let schema, let version, let name):
      "schema \(schema) has run migration \(version) (\(name)), which this program lacks: start a program that has it"
    case .gap(let file):
      "\(file) does not follow its predecessor: number the migrations 1, 2, 3 without gaps"
    case .failed(let file, let reason):
      "\(file) failed and was undone: \(reason)"
    }
  }
}
