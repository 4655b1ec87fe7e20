import Identifiers
import Postgres

/// A stored link to a workout.
package struct StoredShare: Sendable {
  package let id: WorkoutShareID
  package let workoutID: WorkoutID
  package let createdAt: Instant

  static let columns = "share.id, share.workout_id, share.created_at"

  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredShare {
    StoredShare(id: try row.next(), workoutID: try row.next(), createdAt: try row.next())
  }
}

/// Stores a link to a workout whose owner's row the transaction has locked; no row if the workout has the most links.
package struct InsertShare: Statement {
  package static let sql = """
    insert into workout_shares as share (id, workout_id, place, owner_id, token_hash, created_at)
    select $1, $2, free.place, $3, $4, $5
    from generate_series(1, 20) as free (place)
    where not exists (select from workout_shares where workout_id = $2 and workout_shares.place = free.place)
    order by free.place
    limit 1
    returning \(StoredShare.columns)
    """
  let id: WorkoutShareID
  let workout: WorkoutID
  let owner: UserID
  let tokenHash: [UInt8]
  let now: Instant

  package init(_ id: WorkoutShareID, to workout: WorkoutID, of owner: UserID, tokenHash: [UInt8], now: Instant) {
    self.id = id
    self.workout = workout
    self.owner = owner
    self.tokenHash = tokenHash
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(workout)
    p.append(owner)
    p.append(tokenHash)
    p.append(now)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredShare { try .decode(row) }
}

/// The links to a workout, the newest first: there are 20 at most.
package struct SharesOfWorkout: Statement {
  package static let sql = """
    select \(StoredShare.columns) from workout_shares as share where share.workout_id = $1 order by share.id desc
    """
  let workout: WorkoutID

  package init(_ workout: WorkoutID) { self.workout = workout }

  package func bind(_ p: inout Parameters) { p.append(workout) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredShare { try .decode(row) }
}

/// Removes one of a user's links; no row if it does not exist.
package struct DeleteShare: Statement {
  package typealias Row = WorkoutShareID
  package static let sql = "delete from workout_shares where id = $1 and owner_id = $2 returning id"
  let id: WorkoutShareID
  let owner: UserID

  package init(_ id: WorkoutShareID, of owner: UserID) {
    self.id = id
    self.owner = owner
  }

  package func bind(_ p: inout Parameters) {
    p.append(id)
    p.append(owner)
  }
}

/// The workout that a link shares.
package struct SharedWorkoutByToken: Statement {
  package static let sql = """
    select \(StoredWorkout.columns)
    from workout_shares as share
    join workouts as workout on workout.id = share.workout_id
    where share.token_hash = $1 and workout.deleted_at is null
    """
  let tokenHash: [UInt8]

  package init(tokenHash: [UInt8]) { self.tokenHash = tokenHash }

  package func bind(_ p: inout Parameters) { p.append(tokenHash) }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredWorkout { try .decode(row) }
}

/// Limits how often an address may try unknown links.
package enum ShareMisses {
  /// Attempts within the window.
  package static let most: Int32 = 30
  /// The window begins with the first attempt.
  package static let window: Duration = .seconds(900)
}

/// The end of the window of an address that has tried too often; no row if it has not.
package struct ShareMissesOver: Statement {
  package typealias Row = Instant
  package static let sql = """
    select window_ends_at from share_misses where address_hash = $1 and window_ends_at > $2 and misses >= $3
    """
  let address: [UInt8]
  let now: Instant

  /// - Parameter address: its SHA-256.
  package init(of address: [UInt8], now: Instant) {
    self.address = address
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(address)
    p.append(now)
    p.append(ShareMisses.most)
  }
}

/// Counts an attempt at an unknown link.
package struct CountShareMiss: Statement {
  package typealias Row = Void
  // An expired window is reset by the next miss, so that nothing has to remove it.
  package static let sql = """
    with over as (
      delete from share_misses where address_hash in (
        select address_hash from share_misses where window_ends_at <= $2 and address_hash <> $1
        limit 10 for update skip locked
      )
    )
    insert into share_misses (address_hash, window_ends_at, misses) values ($1, $3, 1)
    on conflict on constraint share_misses_pkey do update
    set misses = case when share_misses.window_ends_at <= $2 then 1 else share_misses.misses + 1 end,
      window_ends_at = case when share_misses.window_ends_at <= $2 then $3 else share_misses.window_ends_at end
    """
  let address: [UInt8]
  let now: Instant

  /// - Parameter address: its SHA-256.
  package init(of address: [UInt8], now: Instant) {
    self.address = address
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(address)
    p.append(now)
    p.append(now + ShareMisses.window)
  }
}
