public import Identifiers
public import Postgres

/// What somebody is called.
public struct Naming: Sendable, Hashable {
  /// Who.
  public let person: UUID7
  /// The name as its owner writes it.
  public let username: String

  /// This person's name.
  public init<Person>(_ person: Identifier<Person>, _ username: String) {
    (self.person, self.username) = (person.uuid, username)
  }

  /// A name as identity tells it.
  ///
  /// - Throws: when the id is nobody's.
  init(told person: String, _ username: String) throws {
    guard let person = UUID7(person) else { throw NobodyNamed() }
    (self.person, self.username) = (person, username)
  }

  init(stored person: UUID7, _ username: String) {
    (self.person, self.username) = (person, username)
  }

  private struct NobodyNamed: Error {}
}

/// What a service's schema has to have for usernames, made by a migration of its own: a table `people` of which ids are the key `people_pkey`, with
/// columns `username`, empty while it is not known, and `departed`.
public enum UsernamesSchema {
  /// Every statement of the module, so that a test can prepare them all on a migrated schema.
  public static let statements: [any Statement.Type] = [NamePeople.self, NewNames.self]
}

/// Keeps usernames that identity told, except of people who left ([C-9]).
public struct NamePeople: Statement {
  /// Nothing comes back.
  public typealias Row = Void
  /// See the type.
  public static let sql = """
    insert into people (id, username)
    select id, username from unnest($1::uuid[], $2::text[]) as told (id, username) order by id
    on conflict on constraint people_pkey do update set username = excluded.username
    where not people.departed and people.username <> excluded.username
    """
  private let names: [Naming]

  /// Keeps these, of which each is another person's.
  public init(_ names: [Naming]) { self.names = names }

  /// Ids and names.
  public func bind(_ p: inout Parameters) {
    p.append(names.map(\.person))
    p.append(names.map(\.username))
  }
}

/// Those of some usernames that are kept otherwise, or not at all; people who left have none ([C-9]).
struct NewNames: Statement {
  static let pace = Pace.slow
  static let sql = """
    select told.id, told.username
    from unnest($1::uuid[], $2::text[]) as told (id, username) left join people on people.id = told.id
    where people.id is null or (not people.departed and people.username <> told.username)
    order by told.id
    """
  let told: [Naming]

  init(among told: [Naming]) { self.told = told }

  func bind(_ p: inout Parameters) {
    p.append(told.map(\.person))
    p.append(told.map(\.username))
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Naming {
    Naming(stored: try row.next(), try row.next())
  }
}
