// Made from users.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import Postgres

/// Creates the rows of unknown users, and locks those of all, in the order of their ids, until the transaction ends: the first lock of a
/// transaction that changes what many users have. A row that is there is locked and not written.
public struct HoldUsers: Statement {
  public typealias Row = Void
  public static let sql = """
    insert into users (id) select distinct id from unnest($1::uuid[]) as named (id) order by id
    on conflict on constraint users_pkey do update set deleted = users.deleted where false
    """
  public let userIDs: [UserID]

  public init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  public func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }
}
