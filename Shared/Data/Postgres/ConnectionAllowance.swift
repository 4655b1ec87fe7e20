/// How many connections the server allows, by each of the limits that it has (PostgreSQL manual, section 20.3, CREATE ROLE and CREATE DATABASE).
struct ConnectionAllowance: Sendable, Equatable, RowDecodable {
  /// `max_connections`.
  let server: Int
  /// The connections among them that are reserved for superusers and the like.
  let reserved: Int
  /// The database's `CONNECTION LIMIT`; `nil` when it has none.
  let database: Int?
  /// The role's `CONNECTION LIMIT`; `nil` when it has none.
  let role: Int?

  /// Processes that share a role: it belongs to one service, which has two while one replica replaces the other.
  private static let replicas = 2

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ConnectionAllowance {
    let (server, reserved): (Int64, Int64) = (try row.next(), try row.next())
    let (database, role): (Int64?, Int64?) = (try row.next(), try row.next())
    return ConnectionAllowance(
      server: Int(server), reserved: Int(reserved), database: database.map { Int($0) }, role: role.map { Int($0) })
  }

  /// The most connections that there can be, without any other process.
  var max: Int { [server - reserved, database, role].compactMap(\.self).min() ?? 0 }

  /// The share of one process beside others.
  func share(_ limit: ConnectionLimit) -> Int {
    if let wanted = limit.max { return min(wanted, max) }
    let parts = [
      (server - reserved) / limit.processes, database.map { $0 / limit.processes }, role.map { $0 / Self.replicas },
    ]
    return parts.compactMap(\.self).min() ?? 0
  }
}

/// Reads the limits. For a superuser neither its role's limit nor the database's applies, but those of the server.
struct ConnectionLimits: SingleRowStatement {
  typealias Row = ConnectionAllowance
  static let sql = """
    select current_setting('max_connections')::bigint,
      current_setting('superuser_reserved_connections')::bigint
        + coalesce(current_setting('reserved_connections', true), '0')::bigint,
      case when database.datconnlimit >= 0 and not role.rolsuper then database.datconnlimit end::bigint,
      case when role.rolconnlimit >= 0 and not role.rolsuper then role.rolconnlimit end::bigint
    from pg_catalog.pg_roles as role, pg_catalog.pg_database as database
    where role.rolname = session_user and database.datname = current_database()
    """
}

/// How many connections a process has taken, and why so many.
public struct ConnectionShare: Sendable {
  /// `max_connections` of the server.
  public let server: Int
  /// The connections that the process may have, including those outside of the pools.
  public let allowed: Int
  /// The sizes of the pools without a limit.
  public let wanted: PoolSizes
  /// The sizes of the pools.
  public let taken: PoolSizes
}

/// The server allows fewer connections than a process needs to work at all.
public struct TooFewConnections: Error, Sendable, CustomStringConvertible {
  /// The least number that the process needs.
  public let needed: Int
  /// The number that it may have.
  public let allowed: Int
  /// `max_connections` of the server.
  public let server: Int

  public var description: String {
    "the database allows \(allowed) connections (max_connections is \(server)) and at least \(needed) are needed: raise "
      + "max_connections, or the CONNECTION LIMIT of the role or the database"
  }
}

extension Database {
  /// Reads how many connections the server allows, and sets the pools to this process's share of them.
  ///
  /// A share that is too small is raised to the least that works.
  /// - Parameter others: connections that the process has beside the database's.
  /// - Returns: `nil` when the configuration has no limit: the pools have their full sizes.
  /// - Throws: ``TooFewConnections`` when the least is more than there can be; ``PostgresError``.
  public func takeShare(beside others: Int) async throws -> ConnectionShare? {
    guard let limit = configuration.connectionLimit, let allowance = try await first(ConnectionLimits()) else {
      return nil
    }
    let needed = PoolSizes.minimum.connections + others
    let available = min(allowance.max, limit.max ?? .max)
    guard available >= needed else {
      throw TooFewConnections(needed: needed, allowed: available, server: allowance.server)
    }
    let allowed = max(needed, allowance.share(limit))
    let taken = wanted.fitted(into: allowed - others)
    resize(to: taken)
    return ConnectionShare(server: allowance.server, allowed: allowed, wanted: wanted, taken: taken)
  }
}
