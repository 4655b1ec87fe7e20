// Made from trackers.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Identifiers
import ImporterDomain
import Postgres

/// A connection of a user.
package struct ConnectionColumns: Sendable, RowDecodable {
  package let id: ConnectionID
  package let provider: String
  package let state: ConnectionState
  package let subject: String?
  package let scopes: [String]
  package let syncedTo: Instant?
  package let deletedUntil: Instant?
  package let syncedAt: Instant?
  /// When the user consented.
  package let createdAt: Instant
  package let historyDays: Int32

  package init(
    id: ConnectionID, provider: String, state: ConnectionState, subject: String?, scopes: [String], syncedTo: Instant?,
    deletedUntil: Instant?, syncedAt: Instant?, createdAt: Instant, historyDays: Int32) {
    self.id = id
    self.provider = provider
    self.state = state
    self.subject = subject
    self.scopes = scopes
    self.syncedTo = syncedTo
    self.deletedUntil = deletedUntil
    self.syncedAt = syncedAt
    self.createdAt = createdAt
    self.historyDays = historyDays
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ConnectionColumns {
    ConnectionColumns(
      id: try row.next(), provider: try row.next(), state: try row.next(), subject: try row.next(),
      scopes: try row.next(), syncedTo: try row.next(), deletedUntil: try row.next(), syncedAt: try row.next(),
      createdAt: try row.next(), historyDays: try row.next())
  }
}

/// An import as its user sees it.
package struct ImportColumns: Sendable, RowDecodable {
  package let importID: ImportID
  package let userID: UserID
  package let provider: String
  package let connectionID: ConnectionID
  package let cause: ImportCause
  package let state: ImportState
  package let missingKinds: [String]
  package let percent: Int32
  package let activityCount: Int32
  package let stepDayCount: Int32
  package let sleepCount: Int32
  package let weightCount: Int32
  package let skippedCount: Int32
  package let retryAt: Instant?
  package let failure: ImportFailure?
  package let createdAt: Instant
  package let finishedAt: Instant?

  package init(
    importID: ImportID, userID: UserID, provider: String, connectionID: ConnectionID, cause: ImportCause,
    state: ImportState, missingKinds: [String], percent: Int32, activityCount: Int32, stepDayCount: Int32,
    sleepCount: Int32, weightCount: Int32, skippedCount: Int32, retryAt: Instant?, failure: ImportFailure?,
    createdAt: Instant, finishedAt: Instant?) {
    self.importID = importID
    self.userID = userID
    self.provider = provider
    self.connectionID = connectionID
    self.cause = cause
    self.state = state
    self.missingKinds = missingKinds
    self.percent = percent
    self.activityCount = activityCount
    self.stepDayCount = stepDayCount
    self.sleepCount = sleepCount
    self.weightCount = weightCount
    self.skippedCount = skippedCount
    self.retryAt = retryAt
    self.failure = failure
    self.createdAt = createdAt
    self.finishedAt = finishedAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ImportColumns {
    ImportColumns(
      importID: try row.next(), userID: try row.next(), provider: try row.next(), connectionID: try row.next(),
      cause: try row.next(), state: try row.next(), missingKinds: try row.next(), percent: try row.next(),
      activityCount: try row.next(), stepDayCount: try row.next(), sleepCount: try row.next(),
      weightCount: try row.next(), skippedCount: try row.next(), retryAt: try row.next(), failure: try row.next(),
      createdAt: try row.next(), finishedAt: try row.next())
  }
}

/// The connections of a user that have not ended.
package struct ConnectionsOfUser: Statement {
  package typealias Row = ConnectionColumns
  package static let sql = """
    select id, provider, state, subject, scopes, synced_to, deleted_until, synced_at, created_at, history_days from tracker_connections where user_id = $1 and state <> 'ENDING'
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try ConnectionColumns.decode(row)
  }
}

/// The connection of a user to a provider, locked until the transaction ends.
package struct LockConnection: SingleRowStatement {
  package typealias Row = ConnectionColumns
  package static let sql = """
    select id, provider, state, subject, scopes, synced_to, deleted_until, synced_at, created_at, history_days from tracker_connections
    where user_id = $1 and provider = $2 and state <> 'ENDING' for update
    """
  package let userID: UserID
  package let provider: String

  package init(userID: UserID, provider: String) {
    self.userID = userID
    self.provider = provider
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try ConnectionColumns.decode(row)
  }
}

/// Stores a new consent of a user: of a provider that is connected already, the tokens are replaced.
/// What the user deleted while an earlier connection lasted, or after it, stays deleted.
package struct PutConnection: SingleRowStatement {
  package typealias Row = ConnectionColumns
  package static let sql = """
    insert into tracker_connections
      (
        id, user_id, provider, state, subject, scopes, sealed_tokens, token_version, expires_at, created_at, history_days,
        deleted_until
      )
    values (
      $1, $2, $3, 'CONNECTED', $4, $5, $6, 1, $7, $8, $9,
      (
        select deleted.deleted_until from deleted_providers as deleted
        where deleted.user_id = $2 and deleted.provider = $3
      )
    )
    returning id, provider, state, subject, scopes, synced_to, deleted_until, synced_at, created_at, history_days
    """
  package let connectionID: ConnectionID
  package let userID: UserID
  package let provider: String
  package let subject: String?
  package let scopes: [String]
  package let sealedTokens: [UInt8]
  package let expiresAt: Instant
  package let now: Instant
  package let historyDays: Int32

  package init(
    connectionID: ConnectionID, userID: UserID, provider: String, subject: String?, scopes: [String],
    sealedTokens: [UInt8], expiresAt: Instant, now: Instant, historyDays: Int32) {
    self.connectionID = connectionID
    self.userID = userID
    self.provider = provider
    self.subject = subject
    self.scopes = scopes
    self.sealedTokens = sealedTokens
    self.expiresAt = expiresAt
    self.now = now
    self.historyDays = historyDays
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionID)
    p.append(userID)
    p.append(provider)
    p.append(subject)
    p.append(scopes)
    p.append(sealedTokens)
    p.append(expiresAt)
    p.append(now)
    p.append(historyDays)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try ConnectionColumns.decode(row)
  }
}

/// Replaces the tokens of a connection by those of a new consent; of another account, for more kinds of data, or where the user wants
/// more of the past, the next import begins at the beginning.
package struct RenewConnection: Statement {
  package typealias Row = Void
  package static let sql = """
    update tracker_connections set
      state = 'CONNECTED',
      deleted_until = case when subject is not distinct from coalesce($1, subject) then deleted_until end,
      synced_to = case
        when subject is not distinct from coalesce($1, subject) and scopes @> $2
          and coalesce($3::int4, history_days) <= history_days then synced_to
      end,
      history_days = coalesce($3::int4, history_days),
      subject = coalesce($1, subject), scopes = $2, sealed_tokens = $4,
      token_version = token_version + 1, expires_at = $5, created_at = $6, refresh_begun_at = null,
      refresh_until = null, refresh_fence = refresh_fence + 1
    where id = $7
    """
  package let subject: String?
  package let scopes: [String]
  /// `nil` for what it was before.
  package let historyDays: Int32?
  package let sealedTokens: [UInt8]
  package let expiresAt: Instant
  package let now: Instant
  package let connectionID: ConnectionID

  package init(
    subject: String?, scopes: [String], historyDays: Int32?, sealedTokens: [UInt8], expiresAt: Instant, now: Instant,
    connectionID: ConnectionID) {
    self.subject = subject
    self.scopes = scopes
    self.historyDays = historyDays
    self.sealedTokens = sealedTokens
    self.expiresAt = expiresAt
    self.now = now
    self.connectionID = connectionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(subject)
    p.append(scopes)
    p.append(historyDays)
    p.append(sealedTokens)
    p.append(expiresAt)
    p.append(now)
    p.append(connectionID)
  }
}

/// Ends a connection; what is left of it is the revocation of its tokens.
package struct EndConnection: Statement {
  package typealias Row = Void
  package static let sql = """
    update tracker_connections set state = 'ENDING', ended_at = $1, refresh_fence = refresh_fence + 1
    where id = $2 and state = 'CONNECTED'
    """
  package let now: Instant
  package let connectionID: ConnectionID

  package init(now: Instant, connectionID: ConnectionID) {
    self.now = now
    self.connectionID = connectionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(connectionID)
  }
}

/// Removes a connection that has nothing to revoke.
package struct DeleteConnection: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from tracker_connections where id = $1
    """
  package let connectionID: ConnectionID

  package init(connectionID: ConnectionID) {
    self.connectionID = connectionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionID)
  }
}

/// Records that the tokens of a connection are being requested.
package struct BeginCompletion: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into tracker_completions (id, user_id, begun_at) values ($1, $2, $3)
    """
  package let completionID: CompletionID
  package let userID: UserID
  package let now: Instant

  package init(completionID: CompletionID, userID: UserID, now: Instant) {
    self.completionID = completionID
    self.userID = userID
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(completionID)
    p.append(userID)
    p.append(now)
  }
}

/// Ends that; no row where the user's account was deleted meanwhile, or before it began.
package struct EndCompletion: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    delete from tracker_completions
    where
      id = $1
      and not exists (select from deleted_users where deleted_users.user_id = tracker_completions.user_id)
    returning 1 as ended
    """
  package let completionID: CompletionID

  package init(completionID: CompletionID) {
    self.completionID = completionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(completionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Records that a user's account is deleted, for as long as a call of theirs may be under way.
package struct RememberDeletedUser: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into deleted_users (user_id, deleted_at) values ($1, now()) on conflict (user_id) do nothing
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Removes some records of users that were deleted long ago.
package struct ForgetDeletedUsers: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from deleted_users where user_id in (
      select user_id from deleted_users where deleted_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Forgets the connections whose tokens are being requested of a user whose account is deleted: they are not stored.
package struct DeleteCompletionsOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from tracker_completions where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Removes some records of connections that were not completed.
package struct DeleteOldCompletions: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from tracker_completions where id in (
      select id from tracker_completions where begun_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Records that a user has deleted what a provider, or all, reported, for connections that are made later; before it is deleted.
package struct NoteDeletedProviders: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into deleted_providers (user_id, provider, deleted_until)
    select $1, known.provider, $2
    from (
      select provider from tracker_connections where user_id = $1
      union
      select provider from tracker_imports where user_id = $1
      union
      select provider from activity_sources where user_id = $1
      union
      select provider from daily_steps where user_id = $1
      union
      select provider from sleeps where user_id = $1
      union
      select provider from weights where user_id = $1
    ) as known
    where $3::text is null or known.provider = $3
    on conflict on constraint deleted_providers_pkey do update set deleted_until = excluded.deleted_until
    """
  package let userID: UserID
  package let now: Instant
  package let provider: String?

  package init(userID: UserID, now: Instant, provider: String?) {
    self.userID = userID
    self.now = now
    self.provider = provider
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(now)
    p.append(provider)
  }
}

/// Forgets that a user has deleted what a provider reported.
package struct ForgetDeletedProvider: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from deleted_providers where user_id = $1 and provider = $2
    """
  package let userID: UserID
  package let provider: String

  package init(userID: UserID, provider: String) {
    self.userID = userID
    self.provider = provider
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
  }
}

/// Forgets what a user has deleted ([C-9]).
package struct ForgetDeletedProvidersOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from deleted_providers where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Records that a provider has something new of an activity; not of more than may wait.
package struct NoteChangedActivity: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into changed_activities (connection_id, external_id, user_id, noted_at)
    select $1, $2, $3, $4
    where
      (select count(*) from changed_activities as waiting where waiting.connection_id = $1) < $5
    on conflict on constraint changed_activities_pkey do update set noted_at = excluded.noted_at
    """
  package let connectionID: ConnectionID
  package let externalID: String
  package let userID: UserID
  package let now: Instant
  package let most: Int64

  package init(connectionID: ConnectionID, externalID: String, userID: UserID, now: Instant, most: Int64) {
    self.connectionID = connectionID
    self.externalID = externalID
    self.userID = userID
    self.now = now
    self.most = most
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionID)
    p.append(externalID)
    p.append(userID)
    p.append(now)
    p.append(most)
  }
}

/// The activity of a connection that has waited longest to be imported.
package struct NextChangedActivity: SingleRowStatement {
  package struct Row: Sendable {
    package let externalID: String
    package let notedAt: Instant
  }

  package static let sql = """
    select external_id, noted_at from changed_activities where connection_id = $1
    order by noted_at, external_id limit 1
    """
  package let connectionID: ConnectionID

  package init(connectionID: ConnectionID) {
    self.connectionID = connectionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(externalID: try row.next(), notedAt: try row.next())
  }
}

/// Whether activities of a connection wait to be imported.
package struct HasChangedActivities: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    select exists (select from changed_activities where connection_id = $1) as waits
    """
  package let connectionID: ConnectionID

  package init(connectionID: ConnectionID) {
    self.connectionID = connectionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Forgets an activity that was imported, unless the provider has told of it again since a moment.
package struct DropChangedActivity: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from changed_activities
    where connection_id = $1 and external_id = $2 and noted_at <= $3
    """
  package let connectionID: ConnectionID
  package let externalID: String
  package let moment: Instant

  package init(connectionID: ConnectionID, externalID: String, moment: Instant) {
    self.connectionID = connectionID
    self.externalID = externalID
    self.moment = moment
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionID)
    p.append(externalID)
    p.append(moment)
  }
}

/// Forgets the activities of a connection that ends.
package struct DropChangedActivities: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from changed_activities where connection_id = $1
    """
  package let connectionID: ConnectionID

  package init(connectionID: ConnectionID) {
    self.connectionID = connectionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionID)
  }
}

/// Forgets the activities of a user that wait to be imported ([C-9]).
package struct DropChangedActivitiesOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from changed_activities where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Removes some activities that could not be imported for long.
package struct DropOldChangedActivities: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from changed_activities where (connection_id, external_id) in (
      select connection_id, external_id from changed_activities where noted_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Lets the next import of a connection bring back what the user has deleted, from the beginning.
package struct RestoreDeleted: Statement {
  package typealias Row = Void
  package static let sql = """
    update tracker_connections set deleted_until = null, synced_to = null where id = $1
    """
  package let connectionID: ConnectionID

  package init(connectionID: ConnectionID) {
    self.connectionID = connectionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionID)
  }
}

/// Records that a user has deleted what a provider, or all, reported: imports begin behind that.
package struct NoteDeletion: Statement {
  package typealias Row = Void
  package static let sql = """
    update tracker_connections set deleted_until = $1
    where user_id = $2 and state <> 'ENDING' and ($3::text is null or provider = $3)
    """
  package let now: Instant
  package let userID: UserID
  package let provider: String?

  package init(now: Instant, userID: UserID, provider: String?) {
    self.now = now
    self.userID = userID
    self.provider = provider
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userID)
    p.append(provider)
  }
}

/// Ends the connections of a user whose account is deleted.
package struct EndConnectionsOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    update tracker_connections set state = 'ENDING', ended_at = coalesce(ended_at, now()), user_id = null,
      sealed_tokens = coalesce(sealed_tokens, ''::bytea), refresh_fence = refresh_fence + 1
    where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Some connections whose tokens are still to be revoked, those that ended first before the others.
package struct EndingConnections: Statement {
  package struct Row: Sendable {
    package let connectionID: ConnectionID
    package let endedAt: Instant
  }

  package static let sql = """
    select id as connection_id, ended_at as ended_at from tracker_connections where state = 'ENDING'
    order by ended_at limit $1
    """
  package let limit: Int64

  package init(limit: Int64) {
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(connectionID: try row.next(), endedAt: try row.next())
  }
}

/// Removes connections that have ended, with the tokens that the provider did not confirm to have revoked, and records for their users
/// that it may keep the consent; of a user who has connected the same account again nothing is left.
package struct GiveUpRevocations: Statement {
  package struct Row: Sendable {
    package let connectionID: ConnectionID
    package let provider: String
    /// `nil` where the account is deleted, or nothing is left.
    package let userID: UserID?
  }

  package static let sql = """
    with given_up as (
      delete from tracker_connections where id in (
        select id from tracker_connections where id = any($1) and state = 'ENDING' for update skip locked
      )
      returning id, provider, ended_at, user_id, subject
    ),
    left_over as (
      select given_up.id, given_up.provider, given_up.user_id, given_up.ended_at from given_up
      where given_up.user_id is not null and not exists (
        select from tracker_connections as other
        where other.provider = given_up.provider and other.state = 'CONNECTED'
          and (other.subject = given_up.subject or (given_up.subject is null and other.user_id = given_up.user_id))
      )
    ),
    recorded as (
      insert into left_consents (user_id, provider, ended_at, given_up_at)
      select user_id, provider, max(ended_at), $2 from left_over group by user_id, provider
      on conflict on constraint left_consents_pkey do update
      set ended_at = excluded.ended_at, given_up_at = excluded.given_up_at
    )
    select given_up.id as connection_id, given_up.provider as provider, left_over.user_id
    from given_up left join left_over on left_over.id = given_up.id
    """
  package let connectionIDs: [ConnectionID]
  package let now: Instant

  package init(connectionIDs: [ConnectionID], now: Instant) {
    self.connectionIDs = connectionIDs
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionIDs)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(connectionID: try row.next(), provider: try row.next(), userID: try row.next())
  }
}

/// What providers may have left of consents that a user has ended, the latest of each provider first.
package struct LeftConsents: Statement {
  package struct Row: Sendable {
    package let provider: String
    package let endedAt: Instant
    /// Whether the provider is asked no longer.
    package let isGivenUp: Bool
  }

  package static let sql = """
    select provider as provider, ended_at as ended_at, is_given_up as is_given_up
    from (
      select provider, ended_at, false as is_given_up from tracker_connections where user_id = $1 and state = 'ENDING'
      union all
      select provider, ended_at, true as is_given_up from left_consents
      where user_id = $1 and given_up_at > $2
    ) as consents
    order by provider, ended_at desc
    """
  package let userID: UserID
  /// Of those whose providers are asked no longer, the user has been told of the others long ago.
  package let toldAfter: Instant

  package init(userID: UserID, toldAfter: Instant) {
    self.userID = userID
    self.toldAfter = toldAfter
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(toldAfter)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(provider: try row.next(), endedAt: try row.next(), isGivenUp: try row.next())
  }
}

/// Forgets what a provider may have left of a consent, as the user has connected it again.
package struct ForgetLeftConsent: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from left_consents where user_id = $1 and provider = $2
    """
  package let userID: UserID
  package let provider: String

  package init(userID: UserID, provider: String) {
    self.userID = userID
    self.provider = provider
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
  }
}

/// Forgets what providers may have left of a user's consents ([C-9]).
package struct ForgetLeftConsentsOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from left_consents where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Forgets some that users were told of long ago.
package struct ForgetOldLeftConsents: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from left_consents where (user_id, provider) in (
      select user_id, provider from left_consents where given_up_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// A connection whose tokens are to be revoked.
package struct EndingConnection: SingleRowStatement {
  package struct Row: Sendable {
    package let provider: String
    package let subject: String?
    package let sealedTokens: [UInt8]?
    package let endedAt: Instant
    /// Whether new tokens were requested before it ended, and may arrive yet.
    package let refreshing: Bool
    /// Whether the same account at the provider is connected again.
    package let replaced: Bool
  }

  package static let sql = """
    select
      one.provider, one.subject, one.sealed_tokens, one.ended_at as ended_at,
      coalesce(one.refresh_until > clock_timestamp(), false) as refreshing,
      exists (
        select from tracker_connections as other
        where other.provider = one.provider and other.state = 'CONNECTED'
          and (other.subject = one.subject or (one.subject is null and other.user_id = one.user_id))
      ) as replaced
    from tracker_connections as one
    where one.id = $1 and one.state = 'ENDING'
    """
  package let connectionID: ConnectionID

  package init(connectionID: ConnectionID) {
    self.connectionID = connectionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      provider: try row.next(), subject: try row.next(), sealedTokens: try row.next(), endedAt: try row.next(),
      refreshing: try row.next(), replaced: try row.next())
  }
}

/// Stores the tokens that a connection which has ended is to be revoked with.
package struct StoreEndingTokens: Statement {
  package typealias Row = Void
  package static let sql = """
    update tracker_connections set sealed_tokens = $1, refresh_until = null
    where id = $2 and state = 'ENDING'
    """
  package let sealedTokens: [UInt8]
  package let connectionID: ConnectionID

  package init(sealedTokens: [UInt8], connectionID: ConnectionID) {
    self.sealedTokens = sealedTokens
    self.connectionID = connectionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(sealedTokens)
    p.append(connectionID)
  }
}

/// The tokens of a connection; null where the user has to consent again.
package struct TokensOfConnection: SingleRowStatement {
  package struct Row: Sendable {
    package let provider: String
    package let state: ConnectionState
    package let sealedTokens: [UInt8]?
    package let tokenVersion: Int64
    package let expiresAt: Instant
  }

  package static let sql = """
    select provider, state, sealed_tokens, token_version, expires_at from tracker_connections where id = $1
    """
  package let connectionID: ConnectionID

  package init(connectionID: ConnectionID) {
    self.connectionID = connectionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      provider: try row.next(), state: try row.next(), sealedTokens: try row.next(), tokenVersion: try row.next(),
      expiresAt: try row.next())
  }
}

/// Takes the sole right to request new tokens, and records that a request begins; no row where another replica has the
/// right, or has stored newer tokens.
package struct ClaimRefresh: SingleRowStatement {
  package struct Row: Sendable {
    package let refreshFence: Int64
    /// Whether the answer to an earlier request was never stored.
    package let lost: Bool
  }

  package static let sql = """
    with claimed as materialized (
      select id, refresh_begun_at is not null as lost from tracker_connections
      where id = $1 and state = 'CONNECTED' and token_version = $2
        and (refresh_until is null or refresh_until <= clock_timestamp())
      for update
    )
    update tracker_connections set
      refresh_fence = refresh_fence + 1, refresh_begun_at = $3,
      refresh_until = clock_timestamp() + make_interval(secs => $4::float8)
    from claimed where tracker_connections.id = claimed.id
    returning tracker_connections.refresh_fence, claimed.lost as lost
    """
  package let connectionID: ConnectionID
  package let tokenVersion: Int64
  package let now: Instant
  package let seconds: Double

  package init(connectionID: ConnectionID, tokenVersion: Int64, now: Instant, seconds: Double) {
    self.connectionID = connectionID
    self.tokenVersion = tokenVersion
    self.now = now
    self.seconds = seconds
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionID)
    p.append(tokenVersion)
    p.append(now)
    p.append(seconds)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(refreshFence: try row.next(), lost: try row.next())
  }
}

/// Stores the tokens that were received; no row where another request has begun since, or the connection has ended.
package struct StoreTokens: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    update tracker_connections set
      sealed_tokens = $1, token_version = token_version + 1, expires_at = $2, refresh_begun_at = null,
      refresh_until = null
    where id = $3 and refresh_fence = $4 and state = 'CONNECTED'
    returning token_version
    """
  package let sealedTokens: [UInt8]
  package let expiresAt: Instant
  package let connectionID: ConnectionID
  package let refreshFence: Int64

  package init(sealedTokens: [UInt8], expiresAt: Instant, connectionID: ConnectionID, refreshFence: Int64) {
    self.sealedTokens = sealedTokens
    self.expiresAt = expiresAt
    self.connectionID = connectionID
    self.refreshFence = refreshFence
  }

  package func bind(_ p: inout Parameters) {
    p.append(sealedTokens)
    p.append(expiresAt)
    p.append(connectionID)
    p.append(refreshFence)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Gives up the right to request tokens, though what became of the request is not known.
package struct ReleaseRefresh: Statement {
  package typealias Row = Void
  package static let sql = """
    update tracker_connections set refresh_until = null where id = $1 and refresh_fence = $2
    """
  package let connectionID: ConnectionID
  package let refreshFence: Int64

  package init(connectionID: ConnectionID, refreshFence: Int64) {
    self.connectionID = connectionID
    self.refreshFence = refreshFence
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionID)
    p.append(refreshFence)
  }
}

/// Stores the same tokens under the present key.
package struct ResealTokens: Statement {
  package typealias Row = Void
  package static let sql = """
    update tracker_connections set sealed_tokens = $1
    where id = $2 and token_version = $3 and state = 'CONNECTED' and refresh_begun_at is null
    """
  package let sealedTokens: [UInt8]
  package let connectionID: ConnectionID
  package let tokenVersion: Int64

  package init(sealedTokens: [UInt8], connectionID: ConnectionID, tokenVersion: Int64) {
    self.sealedTokens = sealedTokens
    self.connectionID = connectionID
    self.tokenVersion = tokenVersion
  }

  package func bind(_ p: inout Parameters) {
    p.append(sealedTokens)
    p.append(connectionID)
    p.append(tokenVersion)
  }
}

/// Notes that the provider does not accept the tokens of this version any more.
package struct RequireConsent: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    update tracker_connections set
      state = 'NEEDS_CONSENT', sealed_tokens = null, token_version = token_version + 1, refresh_begun_at = null,
      refresh_until = null, refresh_fence = refresh_fence + 1
    where id = $1 and token_version = $2 and state = 'CONNECTED'
    returning 1 as changed
    """
  package let connectionID: ConnectionID
  package let tokenVersion: Int64

  package init(connectionID: ConnectionID, tokenVersion: Int64) {
    self.connectionID = connectionID
    self.tokenVersion = tokenVersion
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionID)
    p.append(tokenVersion)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The connection of a user by the provider's id of the user.
package struct ConnectionOfSubject: SingleRowStatement {
  package struct Row: Sendable {
    package let id: ConnectionID
    package let userID: UserID
    package let tokenVersion: Int64
    package let createdAt: Instant
  }

  package static let sql = """
    select id, user_id as user_id, token_version, created_at from tracker_connections
    where provider = $1 and subject = $2 and state = 'CONNECTED'
    """
  package let provider: String
  package let subject: String

  package init(provider: String, subject: String) {
    self.provider = provider
    self.subject = subject
  }

  package func bind(_ p: inout Parameters) {
    p.append(provider)
    p.append(subject)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(id: try row.next(), userID: try row.next(), tokenVersion: try row.next(), createdAt: try row.next())
  }
}

/// The user and the provider of a connection that can be imported from.
package struct ConnectionToSync: SingleRowStatement {
  package struct Row: Sendable {
    package let userID: UserID
    package let provider: String
  }

  package static let sql = """
    select user_id as user_id, provider from tracker_connections where id = $1 and state = 'CONNECTED'
    """
  package let connectionID: ConnectionID

  package init(connectionID: ConnectionID) {
    self.connectionID = connectionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(connectionID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(userID: try row.next(), provider: try row.next())
  }
}

/// Some connections to a provider, after another one.
package struct ConnectionsOfProvider: Statement {
  package typealias Row = ConnectionID
  package static let sql = """
    select id as connection_id from tracker_connections
    where provider = $1 and state = 'CONNECTED'
      and id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
    order by id limit $3
    """
  package let provider: String
  /// The last one before; `nil` for the first.
  package let after: ConnectionID?
  package let limit: Int64

  package init(provider: String, after: ConnectionID?, limit: Int64) {
    self.provider = provider
    self.after = after
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(provider)
    p.append(after)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// How many attempts of a user to connect are open.
package struct CountAttempts: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    select count(*) as count from authorization_attempts where user_id = $1 and created_at > $2
    """
  package let userID: UserID
  package let begunAfter: Instant

  package init(userID: UserID, begunAfter: Instant) {
    self.userID = userID
    self.begunAfter = begunAfter
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(begunAfter)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes the attempts of a user whose account is deleted.
package struct DeleteAttemptsOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from authorization_attempts where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Begins an import; no row where one of the user and the provider runs.
package struct InsertImport: SingleRowStatement {
  package typealias Row = ImportColumns
  package static let sql = """
    insert into tracker_imports
      (id, user_id, provider, connection_id, cause, state, streams, missing_kinds, since, until, created_at, changed_at)
    values (
      $1, $2, $3, $4, $5, 'GATHERING', $6, $7, $8, $9, $10, $10
    )
    on conflict (user_id, provider) where state in ('GATHERING', 'IMPORTING') do nothing
    returning id as import_id, user_id, provider, connection_id, cause, state, missing_kinds, percent, activity_count, step_day_count, sleep_count, weight_count,
    skipped_count, retry_at, failure, created_at, finished_at
    """
  package let importID: ImportID
  package let userID: UserID
  package let provider: String
  package let connectionID: ConnectionID
  package let cause: ImportCause
  package let streams: [String]
  package let missingKinds: [String]
  package let since: Instant
  package let until: Instant
  package let now: Instant

  package init(
    importID: ImportID, userID: UserID, provider: String, connectionID: ConnectionID, cause: ImportCause,
    streams: [String], missingKinds: [String], since: Instant, until: Instant, now: Instant) {
    self.importID = importID
    self.userID = userID
    self.provider = provider
    self.connectionID = connectionID
    self.cause = cause
    self.streams = streams
    self.missingKinds = missingKinds
    self.since = since
    self.until = until
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(importID)
    p.append(userID)
    p.append(provider)
    p.append(connectionID)
    p.append(cause)
    p.append(streams)
    p.append(missingKinds)
    p.append(since)
    p.append(until)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try ImportColumns.decode(row)
  }
}

/// The import of a user and a provider that runs.
package struct RunningImport: SingleRowStatement {
  package typealias Row = ImportID
  package static let sql = """
    select id as import_id from tracker_imports
    where user_id = $1 and provider = $2 and state in ('GATHERING', 'IMPORTING')
    """
  package let userID: UserID
  package let provider: String

  package init(userID: UserID, provider: String) {
    self.userID = userID
    self.provider = provider
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// How many imports of a provider a user has begun after a moment, at most as many as are counted.
package struct CountImports: SingleRowStatement {
  package typealias Row = Int64
  package static let sql = """
    select count(*) as count from (
      select created_at from tracker_imports
      where user_id = $1 and provider = $2 and cause = 'USER' order by id desc limit $3
    ) as latest
    where created_at > $4
    """
  package let userID: UserID
  package let provider: String
  package let counted: Int64
  package let begunAfter: Instant

  package init(userID: UserID, provider: String, counted: Int64, begunAfter: Instant) {
    self.userID = userID
    self.provider = provider
    self.counted = counted
    self.begunAfter = begunAfter
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(provider)
    p.append(counted)
    p.append(begunAfter)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// An import of a user.
package struct ImportOfUser: SingleRowStatement {
  package typealias Row = ImportColumns
  package static let sql = """
    select id as import_id, user_id, provider, connection_id, cause, state, missing_kinds, percent, activity_count, step_day_count, sleep_count, weight_count,
    skipped_count, retry_at, failure, created_at, finished_at from tracker_imports where id = $1 and user_id = $2
    """
  package let importID: ImportID
  package let userID: UserID

  package init(importID: ImportID, userID: UserID) {
    self.importID = importID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(importID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try ImportColumns.decode(row)
  }
}

/// A page of the imports of a user, the newest first.
package struct ImportsOfUser: Statement {
  package typealias Row = ImportColumns
  package static let sql = """
    select id as import_id, user_id, provider, connection_id, cause, state, missing_kinds, percent, activity_count, step_day_count, sleep_count, weight_count,
    skipped_count, retry_at, failure, created_at, finished_at from tracker_imports
    where user_id = $1 and id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
    order by id desc limit $3
    """
  package let userID: UserID
  /// The last one of the page before.
  package let before: ImportID?
  package let limit: Int64

  package init(userID: UserID, before: ImportID?, limit: Int64) {
    self.userID = userID
    self.before = before
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(before)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try ImportColumns.decode(row)
  }
}

/// The newest import of a user from each provider.
package struct LastImports: Statement {
  package typealias Row = ImportColumns
  package static let sql = """
    select distinct on (provider) id as import_id, user_id, provider, connection_id, cause, state, missing_kinds, percent, activity_count, step_day_count, sleep_count, weight_count,
    skipped_count, retry_at, failure, created_at, finished_at from tracker_imports where user_id = $1 order by provider, id desc
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try ImportColumns.decode(row)
  }
}

/// What has to be done next for an import that runs, and what is known of its provider.
package struct ImportWork: SingleRowStatement {
  package struct Row: Sendable {
    package let userID: UserID
    package let provider: String
    package let connectionID: ConnectionID
    package let streams: [String]
    package let missingKinds: [String]
    package let since: Instant
    package let until: Instant
    package let stream: Int32
    package let pageCursor: String?
    package let streamPages: Int32
    package let pageDone: [String]
    package let pageDigests: [Int64]
    package let step: Int64
    package let retries: Int32
    package let createdAt: Instant
    package let blockedUntil: Instant?
    package let paused: Bool
    package let failures: Int32
    package let openUntil: Instant?
  }

  package static let sql = """
    select
      tracker_imports.user_id, tracker_imports.provider, connection_id, streams, missing_kinds, since, until, stream, page_cursor,
      stream_pages, page_done, page_digests, step, retries, created_at, tracker_providers.blocked_until,
      coalesce(tracker_providers.paused, false) as paused, coalesce(tracker_providers.failures, 0) as failures,
      tracker_providers.open_until
    from tracker_imports left join tracker_providers on tracker_providers.provider = tracker_imports.provider
    where id = $1 and state in ('GATHERING', 'IMPORTING')
    """
  package let importID: ImportID

  package init(importID: ImportID) {
    self.importID = importID
  }

  package func bind(_ p: inout Parameters) {
    p.append(importID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      userID: try row.next(), provider: try row.next(), connectionID: try row.next(), streams: try row.next(),
      missingKinds: try row.next(), since: try row.next(), until: try row.next(), stream: try row.next(),
      pageCursor: try row.next(), streamPages: try row.next(), pageDone: try row.next(), pageDigests: try row.next(),
      step: try row.next(), retries: try row.next(), createdAt: try row.next(), blockedUntil: try row.next(),
      paused: try row.next(), failures: try row.next(), openUntil: try row.next())
  }
}

/// Records that a page was stored; no row where another replica did, or the import has ended.
package struct AdvanceImport: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    update tracker_imports set
      state = 'IMPORTING', stream = $1, page_cursor = $2, stream_pages = $3, step = step + 1,
      percent = greatest(percent, $4), activity_count = activity_count + $5,
      step_day_count = step_day_count + $6, sleep_count = sleep_count + $7,
      weight_count = weight_count + $8, skipped_count = skipped_count + $9, missing_kinds = $10,
      page_done = '{}', retries = 0, retry_at = null, changed_at = $11,
      page_digests = case
        when tracker_imports.stream <> $1 then '{}'::bigint[]
        when $12::int8 is null then page_digests
        else page_digests || $12::int8
      end
    where id = $13 and step = $14 and state in ('GATHERING', 'IMPORTING')
    returning 1 as changed
    """
  package let stream: Int32
  package let pageCursor: String?
  package let streamPages: Int32
  package let percent: Int32
  package let activities: Int32
  package let stepDays: Int32
  package let sleeps: Int32
  package let weights: Int32
  package let skipped: Int32
  package let missingKinds: [String]
  package let now: Instant
  package let pageDigest: Int64?
  package let importID: ImportID
  package let step: Int64

  package init(
    stream: Int32, pageCursor: String?, streamPages: Int32, percent: Int32, activities: Int32, stepDays: Int32,
    sleeps: Int32, weights: Int32, skipped: Int32, missingKinds: [String], now: Instant, pageDigest: Int64?,
    importID: ImportID, step: Int64) {
    self.stream = stream
    self.pageCursor = pageCursor
    self.streamPages = streamPages
    self.percent = percent
    self.activities = activities
    self.stepDays = stepDays
    self.sleeps = sleeps
    self.weights = weights
    self.skipped = skipped
    self.missingKinds = missingKinds
    self.now = now
    self.pageDigest = pageDigest
    self.importID = importID
    self.step = step
  }

  package func bind(_ p: inout Parameters) {
    p.append(stream)
    p.append(pageCursor)
    p.append(streamPages)
    p.append(percent)
    p.append(activities)
    p.append(stepDays)
    p.append(sleeps)
    p.append(weights)
    p.append(skipped)
    p.append(missingKinds)
    p.append(now)
    p.append(pageDigest)
    p.append(importID)
    p.append(step)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Records that a part of a page was stored; no row where another replica stored something, or the import has ended.
package struct KeepPart: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    update tracker_imports set
      state = 'IMPORTING', step = step + 1, page_done = page_done || $1::text[],
      activity_count = activity_count + $2, retries = 0, retry_at = null, changed_at = $3
    where id = $4 and step = $5 and state in ('GATHERING', 'IMPORTING')
    returning 1 as changed
    """
  package let externalIDs: [String]
  package let activities: Int32
  package let now: Instant
  package let importID: ImportID
  package let step: Int64

  package init(externalIDs: [String], activities: Int32, now: Instant, importID: ImportID, step: Int64) {
    self.externalIDs = externalIDs
    self.activities = activities
    self.now = now
    self.importID = importID
    self.step = step
  }

  package func bind(_ p: inout Parameters) {
    p.append(externalIDs)
    p.append(activities)
    p.append(now)
    p.append(importID)
    p.append(step)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Records when an import goes on; no row where another replica did something, or it has ended.
package struct PostponeImport: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    update tracker_imports set retries = $1, retry_at = $2, step = step + 1, changed_at = $3
    where id = $4 and step = $5 and state in ('GATHERING', 'IMPORTING')
    returning 1 as changed
    """
  package let retries: Int32
  package let retryAt: Instant?
  package let now: Instant
  package let importID: ImportID
  package let step: Int64

  package init(retries: Int32, retryAt: Instant?, now: Instant, importID: ImportID, step: Int64) {
    self.retries = retries
    self.retryAt = retryAt
    self.now = now
    self.importID = importID
    self.step = step
  }

  package func bind(_ p: inout Parameters) {
    p.append(retries)
    p.append(retryAt)
    p.append(now)
    p.append(importID)
    p.append(step)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Ends an import; no row where it has ended, or its step is another.
package struct FinishImport: SingleRowStatement {
  package typealias Row = ImportColumns
  package static let sql = """
    update tracker_imports set
      state = $1, failure = $2, step = step + 1, retry_at = null, finished_at = $3, changed_at = $3,
      percent = case when $1 = 'SUCCEEDED' then 100 else percent end
    where id = $4 and ($5::int8 is null or step = $5) and state in ('GATHERING', 'IMPORTING')
    returning id as import_id, user_id, provider, connection_id, cause, state, missing_kinds, percent, activity_count, step_day_count, sleep_count, weight_count,
    skipped_count, retry_at, failure, created_at, finished_at
    """
  /// How it has ended.
  package let state: ImportState
  /// `nil` unless it failed.
  package let failure: ImportFailure?
  package let now: Instant
  package let importID: ImportID
  /// `nil` for whatever step it is at.
  package let step: Int64?

  package init(state: ImportState, failure: ImportFailure?, now: Instant, importID: ImportID, step: Int64?) {
    self.state = state
    self.failure = failure
    self.now = now
    self.importID = importID
    self.step = step
  }

  package func bind(_ p: inout Parameters) {
    p.append(state)
    p.append(failure)
    p.append(now)
    p.append(importID)
    p.append(step)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try ImportColumns.decode(row)
  }
}

/// Records that a connection was imported.
package struct NoteSync: Statement {
  package typealias Row = Void
  package static let sql = """
    update tracker_connections set synced_to = coalesce($1::timestamptz, synced_to), synced_at = $2
    where id = $3
    """
  /// Until when; `nil` if not all of a time was.
  package let syncedTo: Instant?
  package let now: Instant
  package let connectionID: ConnectionID

  package init(syncedTo: Instant?, now: Instant, connectionID: ConnectionID) {
    self.syncedTo = syncedTo
    self.now = now
    self.connectionID = connectionID
  }

  package func bind(_ p: inout Parameters) {
    p.append(syncedTo)
    p.append(now)
    p.append(connectionID)
  }
}

/// Some imports that nothing has happened to for long.
package struct StuckImports: Statement {
  package struct Row: Sendable {
    package let importID: ImportID
    package let provider: String
    package let step: Int64
  }

  package static let sql = """
    select id as import_id, provider, step from tracker_imports
    where state in ('GATHERING', 'IMPORTING') and changed_at <= $1 and (retry_at is null or retry_at <= $1)
    order by changed_at limit $2
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(importID: try row.next(), provider: try row.next(), step: try row.next())
  }
}

/// Removes the imports of a user whose account is deleted.
package struct DeleteImportsOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from tracker_imports where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Removes some imports that ended long ago.
package struct DeleteOldImports: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from tracker_imports where id in (
      select id from tracker_imports where finished_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// What is known of a provider.
package struct ProviderState: SingleRowStatement {
  package struct Row: Sendable {
    package let paused: Bool
    package let blockedUntil: Instant?
    package let openUntil: Instant?
  }

  package static let sql = """
    select paused, blocked_until, open_until from tracker_providers where provider = $1
    """
  package let provider: String

  package init(provider: String) {
    self.provider = provider
  }

  package func bind(_ p: inout Parameters) {
    p.append(provider)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(paused: try row.next(), blockedUntil: try row.next(), openUntil: try row.next())
  }
}

/// What is known of a provider's failures, which nobody else changes until the end of the transaction.
package struct LockBreaker: SingleRowStatement {
  package struct Row: Sendable {
    package let failures: Int32
    package let openUntil: Instant?
  }

  package static let sql = """
    insert into tracker_providers (provider) values ($1)
    on conflict (provider) do update set provider = excluded.provider
    returning failures, open_until
    """
  package let provider: String

  package init(provider: String) {
    self.provider = provider
  }

  package func bind(_ p: inout Parameters) {
    p.append(provider)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(failures: try row.next(), openUntil: try row.next())
  }
}

/// Records the failures of a provider.
package struct PutBreaker: Statement {
  package typealias Row = Void
  package static let sql = """
    update tracker_providers set failures = $1, open_until = $2 where provider = $3
    """
  package let failures: Int32
  package let openUntil: Instant?
  package let provider: String

  package init(failures: Int32, openUntil: Instant?, provider: String) {
    self.failures = failures
    self.openUntil = openUntil
    self.provider = provider
  }

  package func bind(_ p: inout Parameters) {
    p.append(failures)
    p.append(openUntil)
    p.append(provider)
  }
}

/// Makes an import the only one that asks a provider which did not answer; no row where another one does.
package struct ClaimProbe: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    update tracker_providers set open_until = $1
    where provider = $2 and open_until <= $3
    returning 1 as claimed
    """
  package let until: Instant
  package let provider: String
  package let now: Instant

  package init(until: Instant, provider: String, now: Instant) {
    self.until = until
    self.provider = provider
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(until)
    p.append(provider)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Records that a provider has answered; no row where nothing else was known.
package struct CloseBreaker: SingleRowStatement {
  package typealias Row = Bool
  package static let sql = """
    update tracker_providers as closed set failures = 0, open_until = null
    from tracker_providers as known
    where closed.provider = $1 and known.provider = closed.provider and closed.failures > 0
    returning known.open_until is not null as was_open
    """
  package let provider: String

  package init(provider: String) {
    self.provider = provider
  }

  package func bind(_ p: inout Parameters) {
    p.append(provider)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Records what a provider said about further requests; waits only grow.
package struct NoteAllowance: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into tracker_providers (provider, blocked_until, requests_left) values ($1, $2, $3)
    on conflict (provider) do update set
      blocked_until = greatest(tracker_providers.blocked_until, excluded.blocked_until),
      requests_left = coalesce(excluded.requests_left, tracker_providers.requests_left)
    """
  package let provider: String
  package let blockedUntil: Instant?
  package let requestsLeft: Int64?

  package init(provider: String, blockedUntil: Instant?, requestsLeft: Int64?) {
    self.provider = provider
    self.blockedUntil = blockedUntil
    self.requestsLeft = requestsLeft
  }

  package func bind(_ p: inout Parameters) {
    p.append(provider)
    p.append(blockedUntil)
    p.append(requestsLeft)
  }
}

/// Pauses a provider, or ends its pause.
package struct SetPaused: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into tracker_providers (provider, paused) values ($1, $2)
    on conflict (provider) do update set paused = excluded.paused
    """
  package let provider: String
  package let paused: Bool

  package init(provider: String, paused: Bool) {
    self.provider = provider
    self.paused = paused
  }

  package func bind(_ p: inout Parameters) {
    p.append(provider)
    p.append(paused)
  }
}

/// The use of providers.
package struct ProviderFigures: Statement {
  package struct Row: Sendable {
    package let provider: String
    package let paused: Bool
    package let blockedUntil: Instant?
    package let requestsLeft: Int64?
    package let openUntil: Instant?
    package let connected: Int64
    package let needsConsent: Int64
    package let running: Int64
    package let failed: Int64
    package let oldestSync: Instant?
  }

  package static let pace = Pace.slow
  package static let sql = """
    select
      asked.provider as provider, coalesce(known.paused, false) as paused, known.blocked_until, known.requests_left,
      known.open_until,
      (
        select count(*) from tracker_connections as one where one.provider = asked.provider and one.state = 'CONNECTED'
      ) as connected,
      (
        select count(*) from tracker_connections as one where one.provider = asked.provider and one.state = 'NEEDS_CONSENT'
      ) as needs_consent,
      (
        select count(*) from tracker_imports as one
        where one.provider = asked.provider and one.state in ('GATHERING', 'IMPORTING')
      ) as running,
      (
        select count(*) from tracker_imports as one
        where one.provider = asked.provider and one.state = 'FAILED' and one.finished_at > $1
      ) as failed,
      (
        select min(coalesce(one.synced_at, one.created_at)) from tracker_connections as one
        where one.provider = asked.provider and one.state = 'CONNECTED'
      ) as oldest_sync
    from unnest($2::text []) as asked (provider) left join tracker_providers as known using (provider)
    """
  package let failedAfter: Instant
  package let providers: [String]

  package init(failedAfter: Instant, providers: [String]) {
    self.failedAfter = failedAfter
    self.providers = providers
  }

  package func bind(_ p: inout Parameters) {
    p.append(failedAfter)
    p.append(providers)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      provider: try row.next(), paused: try row.next(), blockedUntil: try row.next(), requestsLeft: try row.next(),
      openUntil: try row.next(), connected: try row.next(), needsConsent: try row.next(), running: try row.next(),
      failed: try row.next(), oldestSync: try row.next())
  }
}

/// Records a call of a webhook; no row where the same one came before.
package struct NoteWebhookCall: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    insert into tracker_webhook_calls (digest, received_at) values ($1, $2)
    on conflict (digest) do nothing returning 1 as added
    """
  package let digest: [UInt8]
  package let now: Instant

  package init(digest: [UInt8], now: Instant) {
    self.digest = digest
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(digest)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes some records of calls of webhooks.
package struct DeleteOldWebhookCalls: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from tracker_webhook_calls where digest in (
      select digest from tracker_webhook_calls where received_at <= $1 limit $2 for update skip locked
    ) returning 1 as removed
    """
  package let moment: Instant
  package let limit: Int64

  package init(moment: Instant, limit: Int64) {
    self.moment = moment
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(moment)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The providers that operators have paused.
package struct PausedProviders: Statement {
  package typealias Row = String
  package static let sql = """
    select provider from tracker_providers where paused
    """

  package init() {}

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}
