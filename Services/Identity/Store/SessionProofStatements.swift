import Identifiers
import Postgres

/// Selects the time at which the user of a session last authenticated; returns no row when the session has ended.
package struct SessionProof: Statement {
  package typealias Row = Instant
  package static let sql = """
    select coalesce(proved_at, created_at) from sessions where id = $1 and account_id = $2 and revoked_at is null
    """
  let id: SessionID
  let userID: UserID

  package init(_ id: SessionID, of userID: UserID) {
    self.id = id
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(userID)
  }
}

/// Records that the user of a session has authenticated; returns no row when the session has ended.
package struct NoteSessionProof: Statement {
  package typealias Row = SessionID
  package static let sql = """
    update sessions set proved_at = $3 where id = $1 and account_id = $2 and revoked_at is null returning id
    """
  let id: SessionID
  let userID: UserID
  let now: Instant

  package init(_ id: SessionID, of userID: UserID, now: Instant) {
    self.id = id
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(userID)
    p.append(now)
  }
}
