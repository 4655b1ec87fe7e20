// Made from workout_shares.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import CatalogDomain
import Geography
import Identifiers
import Pictures
import Postgres

/// A stored link to a workout.
package struct StoredShare: Sendable, RowDecodable {
  package let id: WorkoutShareID
  package let workoutID: WorkoutID
  package let createdAt: Instant

  package init(id: WorkoutShareID, workoutID: WorkoutID, createdAt: Instant) {
    self.id = id
    self.workoutID = workoutID
    self.createdAt = createdAt
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredShare {
    StoredShare(id: try row.next(), workoutID: try row.next(), createdAt: try row.next())
  }
}

/// Stores a link to a workout whose owner's row the transaction has locked; no row if the workout has the most links.
package struct InsertShare: SingleRowStatement {
  package typealias Row = StoredShare
  package static let sql = """
    insert into workout_shares as share (id, workout_id, place, owner_id, token_hash, created_at)
    select $1, $2, free.place, $3, $4, $5
    from generate_series(1, 20) as free (place)
    where not exists (select from workout_shares where workout_id = $2 and workout_shares.place = free.place)
    order by free.place
    limit 1
    returning share.id, share.workout_id, share.created_at
    """
  package let shareID: WorkoutShareID
  package let workoutID: WorkoutID
  package let ownerID: UserID
  package let tokenHash: [UInt8]
  package let now: Instant

  package init(shareID: WorkoutShareID, workoutID: WorkoutID, ownerID: UserID, tokenHash: [UInt8], now: Instant) {
    self.shareID = shareID
    self.workoutID = workoutID
    self.ownerID = ownerID
    self.tokenHash = tokenHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(shareID)
    p.append(workoutID)
    p.append(ownerID)
    p.append(tokenHash)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredShare.decode(row)
  }
}

/// The links to a workout, the newest first: there are 20 at most.
package struct SharesOfWorkout: Statement {
  package typealias Row = StoredShare
  package static let sql = """
    select share.id, share.workout_id, share.created_at from workout_shares as share where share.workout_id = $1 order by share.id desc
    """
  package let workoutID: WorkoutID

  package init(workoutID: WorkoutID) {
    self.workoutID = workoutID
  }

  package func bind(_ p: inout Parameters) {
    p.append(workoutID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredShare.decode(row)
  }
}

/// Removes one of a user's links; no row if it does not exist.
package struct DeleteShare: SingleRowStatement {
  package typealias Row = WorkoutShareID
  package static let sql = """
    delete from workout_shares where id = $1 and owner_id = $2 returning id
    """
  package let shareID: WorkoutShareID
  package let ownerID: UserID

  package init(shareID: WorkoutShareID, ownerID: UserID) {
    self.shareID = shareID
    self.ownerID = ownerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(shareID)
    p.append(ownerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// The workout that a link shares.
package struct SharedWorkoutByToken: SingleRowStatement {
  package typealias Row = StoredWorkout
  package static let sql = """
    select workout.id, workout.owner_id, workout.name, workout.description, workout.muscle_groups, workout.level, workout.revision,
    workout.created_at, workout.updated_at
    from workout_shares as share
    join workouts as workout on workout.id = share.workout_id
    where share.token_hash = $1 and workout.deleted_at is null and share.owner_id <> all(array(select user_id from erasures))
    """
  package let tokenHash: [UInt8]

  package init(tokenHash: [UInt8]) {
    self.tokenHash = tokenHash
  }

  package func bind(_ p: inout Parameters) {
    p.append(tokenHash)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredWorkout(WorkoutColumns.decode(row))
  }
}

/// The end of the window of an address that has tried too often; no row if it has not.
package struct ShareMissesOver: SingleRowStatement {
  package typealias Row = Instant
  package static let sql = """
    select window_ends_at from share_misses
    where address_hash = $1 and window_ends_at > $2 and misses >= $3
    """
  /// SHA-256 of the address.
  package let addressHash: [UInt8]
  package let now: Instant
  /// Attempts within the window.
  package let most: Int32

  package init(addressHash: [UInt8], now: Instant, most: Int32) {
    self.addressHash = addressHash
    self.now = now
    self.most = most
  }

  package func bind(_ p: inout Parameters) {
    p.append(addressHash)
    p.append(now)
    p.append(most)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Counts an attempt at an unknown link.
package struct CountShareMiss: Statement {
  package typealias Row = Void
  package static let sql = """
    with over as (
      delete from share_misses where address_hash in (
        select address_hash from share_misses where window_ends_at <= $1 and address_hash <> $2
        limit 10 for update skip locked
      )
    )
    insert into share_misses (address_hash, window_ends_at, misses) values ($2, $3, 1)
    on conflict on constraint share_misses_pkey do update
    set misses = case when share_misses.window_ends_at <= $1 then 1 else share_misses.misses + 1 end,
      window_ends_at = case
        when share_misses.window_ends_at <= $1 then $3 else share_misses.window_ends_at
      end
    """
  package let now: Instant
  /// SHA-256 of the address.
  package let addressHash: [UInt8]
  /// Of a window that begins now.
  package let windowEndsAt: Instant

  package init(now: Instant, addressHash: [UInt8], windowEndsAt: Instant) {
    self.now = now
    self.addressHash = addressHash
    self.windowEndsAt = windowEndsAt
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(addressHash)
    p.append(windowEndsAt)
  }
}
