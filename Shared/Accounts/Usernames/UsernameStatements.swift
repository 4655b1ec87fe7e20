public import Identifiers
public import Postgres

/// The username of a user.
public struct Naming: Sendable, Hashable {
  public let user: UserID
  /// The username as the user spells it.
  public let username: String

  public init(_ user: UserID, _ username: String) { (self.user, self.username) = (user, username) }

  /// Reads a username from the fields of an event or a response of identity.
  ///
  /// - Throws: when the id is not a UUID.
  package init(wire user: String, _ username: String) throws {
    guard let user = UserID(user) else { throw MalformedUserID() }
    (self.user, self.username) = (user, username)
  }

  private struct MalformedUserID: Error {}
}

/// What a service's schema needs for usernames, made by a migration of its own: a table `people` of which ids are the
/// key `people_pkey`, with columns `username`, empty while it is not known, and `departed`.
public enum UsernamesSchema {
  /// Every statement of the module, so that a test can prepare them all on a migrated schema.
  public static let statements: [any Statement.Type] = [NameUsers.self, NewNames.self]
}

/// Stores usernames, except of users whose accounts were deleted ([C-9]).
public struct NameUsers: Statement {
  public typealias Row = Void
  public static let sql = """
    insert into people (id, username)
    select id, username from unnest($1::uuid[], $2::text[]) as told (id, username) order by id
    on conflict on constraint people_pkey do update set username = excluded.username
    where not people.departed and people.username <> excluded.username
    """
  private let names: [Naming]

  /// - Parameter names: at most one for each user.
  public init(_ names: [Naming]) { self.names = names }

  public func bind(_ p: inout Parameters) {
    p.append(names.map(\.user))
    p.append(names.map(\.username))
  }
}

/// The usernames among some that differ from the stored ones, or are not stored; deleted accounts have none ([C-9]).
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
    p.append(told.map(\.user))
    p.append(told.map(\.username))
  }

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Naming {
    Naming(try row.next(), try row.next())
  }
}
