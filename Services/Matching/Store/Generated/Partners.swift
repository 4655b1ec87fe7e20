// Made from partners.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import Geography
import Identifiers
import MatchingDomain
import Postgres

/// A user's own listing.
package struct ListingColumns: Sendable {
  package let latitude: Double?
  package let longitude: Double?
  package let accuracyM: Double?
  package let cellBand: Int32
  package let cellColumn: Int32
  package let focus: Focus
  package let level: Level
  package let windowEndsAt: Instant
  package let moves: Int32

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> ListingColumns {
    ListingColumns(
      latitude: try row.next(), longitude: try row.next(), accuracyM: try row.next(), cellBand: try row.next(),
      cellColumn: try row.next(), focus: try row.next(), level: try row.next(), windowEndsAt: try row.next(),
      moves: try row.next())
  }
}

/// A user as strangers see them: nothing of this is computed from the position itself.
package struct PartnerColumns: Sendable {
  package let userID: UserID
  package let username: String
  package let cellBand: Int32
  package let cellColumn: Int32
  package let focus: Focus
  package let level: Level

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> PartnerColumns {
    PartnerColumns(
      userID: try row.next(), username: try row.next(), cellBand: try row.next(), cellColumn: try row.next(),
      focus: try row.next(), level: try row.next())
  }
}

/// What is stored of a user's listing, also when the user has left the map; locked until the transaction ends, so that of concurrent moves each is
/// counted. The transaction has locked the user's row before, as there may be no listing to lock.
package struct LockedListing: SingleRowStatement {
  package typealias Row = StoredListing
  package static let sql = """
    select listing.latitude, listing.longitude, listing.accuracy_m, listing.cell_band, listing.cell_column, listing.focus,
    listing.level, listing.window_ends_at, listing.moves from partner_listings as listing where listing.user_id = $1 for update
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredListing(ListingColumns.decode(row))
  }
}

/// What is stored of a user's listing, also when the user has left the map.
package struct ListingOf: SingleRowStatement {
  package typealias Row = StoredListing
  package static let sql = """
    select listing.latitude, listing.longitude, listing.accuracy_m, listing.cell_band, listing.cell_column, listing.focus,
    listing.level, listing.window_ends_at, listing.moves from partner_listings as listing where listing.user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredListing(ListingColumns.decode(row))
  }
}

/// Puts a user on the map, or moves the user.
package struct PutListing: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into partner_listings (
      user_id, latitude, longitude, accuracy_m, cell_band, cell_column, place, focus, level, window_ends_at, moves, removed_at
    )
    values (
      $1, $2::double precision, $3::double precision, $4::double precision, $5, $6,
      extensions.cube($7::double precision[]), $8, $9, $10, $11, null
    )
    on conflict on constraint partner_listings_pkey do update
    set latitude = excluded.latitude, longitude = excluded.longitude, accuracy_m = excluded.accuracy_m,
      cell_band = excluded.cell_band, cell_column = excluded.cell_column, place = excluded.place, focus = excluded.focus,
      level = excluded.level, window_ends_at = excluded.window_ends_at, moves = excluded.moves, removed_at = null
    """
  package let userID: UserID
  package let latitude: Double
  package let longitude: Double
  package let accuracyM: Double
  package let cellBand: Int32
  package let cellColumn: Int32
  /// Of the middle of the cell, on the unit sphere.
  package let vector: [Double]
  package let focus: Focus
  package let level: Level
  package let windowEndsAt: Instant
  package let moves: Int32

  package init(
    userID: UserID, latitude: Double, longitude: Double, accuracyM: Double, cellBand: Int32, cellColumn: Int32,
    vector: [Double], focus: Focus, level: Level, windowEndsAt: Instant, moves: Int32) {
    self.userID = userID
    self.latitude = latitude
    self.longitude = longitude
    self.accuracyM = accuracyM
    self.cellBand = cellBand
    self.cellColumn = cellColumn
    self.vector = vector
    self.focus = focus
    self.level = level
    self.windowEndsAt = windowEndsAt
    self.moves = moves
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(latitude)
    p.append(longitude)
    p.append(accuracyM)
    p.append(cellBand)
    p.append(cellColumn)
    p.append(vector)
    p.append(focus)
    p.append(level)
    p.append(windowEndsAt)
    p.append(moves)
  }
}

/// Takes a user off the map; the position is deleted, and the cell stays for the rule about cells ([MA-13]).
package struct TakeOffMap: Statement {
  package typealias Row = Void
  package static let sql = """
    update partner_listings
    set latitude = null, longitude = null, accuracy_m = null, removed_at = $1
    where user_id = $2 and removed_at is null
    """
  package let now: Instant
  package let userID: UserID

  package init(now: Instant, userID: UserID) {
    self.now = now
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(now)
    p.append(userID)
  }
}

/// Removes what is stored of a user's listing ([C-9]).
package struct DeleteListingOfUser: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from partner_listings where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Removes the cells of users who left the map long ago.
package struct DeleteOldListings: Statement {
  package typealias Row = Int32
  package static let sql = """
    delete from partner_listings where user_id in (
      select user_id from partner_listings where removed_at <= $1 limit $2 for update skip locked
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

/// A page of the users in the cells around a point, the nearest cell first, then by id ([MA-13]). Only cells are read: the columns with the
/// position are not.
package struct PartnersNear: Statement {
  package struct Row: Sendable {
    package let partner: StoredPartner
    /// The distance of the cell's vector from the point's.
    package let chord: Double
  }

  package static let pace = Pace.slow
  package static let sql = """
    select listing.user_id, users.username, listing.cell_band, listing.cell_column, listing.focus, listing.level, listing.chord as chord
    from (
      select listing.*, listing.place operator(extensions.<->) extensions.cube($1::double precision[]) as chord from partner_listings as listing
      where listing.removed_at is null
        and listing.place operator(extensions.<@) extensions.cube_enlarge(extensions.cube($1::double precision[]), $2, 3)
        and listing.place operator(extensions.<->) extensions.cube($1::double precision[]) <= $3
        and (cardinality($4::text[]) = 0 or listing.focus = any($4))
        and (cardinality($5::text[]) = 0 or listing.level = any($5))
        and listing.user_id <> $6 and listing.user_id <> all(array(
      select blocked_id from blocks where blocker_id = $6
      union all
      select blocker_id from blocks where blocked_id = $6
    ))
        and (
          $7::double precision is null
          or (listing.place operator(extensions.<->) extensions.cube($1::double precision[]), listing.user_id) > ($7, $8::uuid)
        )
      order by listing.place operator(extensions.<->) extensions.cube($1::double precision[]) fetch first ($9::bigint) rows with ties
    ) as listing
    join users on users.id = listing.user_id
    order by listing.chord, listing.user_id
    limit $9::bigint
    """
  package let vector: [Double]
  /// Half an edge of the cube around the ball of that radius.
  package let cubeSize: Double
  /// The radius of the search as a chord.
  package let maxChord: Double
  /// Empty for all.
  package let focuses: [Focus]
  /// Empty for all.
  package let levels: [Level]
  package let viewerID: UserID
  package let afterChord: Double?
  package let afterID: UserID?
  package let limit: Int64

  package init(
    vector: [Double], cubeSize: Double, maxChord: Double, focuses: [Focus], levels: [Level], viewerID: UserID,
    afterChord: Double?, afterID: UserID?, limit: Int64) {
    self.vector = vector
    self.cubeSize = cubeSize
    self.maxChord = maxChord
    self.focuses = focuses
    self.levels = levels
    self.viewerID = viewerID
    self.afterChord = afterChord
    self.afterID = afterID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(vector)
    p.append(cubeSize)
    p.append(maxChord)
    p.append(focuses)
    p.append(levels)
    p.append(viewerID)
    p.append(afterChord)
    p.append(afterID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(partner: try StoredPartner(PartnerColumns.decode(row)), chord: try row.next())
  }
}

/// A user on the map, for another user; no row where one of the two has blocked the other.
package struct PartnerOnMap: SingleRowStatement {
  package typealias Row = StoredPartner
  package static let sql = """
    select listing.user_id, users.username, listing.cell_band, listing.cell_column, listing.focus, listing.level
    from partner_listings as listing join users on users.id = listing.user_id
    where listing.user_id = $1 and listing.removed_at is null and not exists (
      select from blocks
      where (blocker_id = listing.user_id and blocked_id = $2) or (blocker_id = $2 and blocked_id = listing.user_id)
    )
    """
  package let userID: UserID
  package let viewerID: UserID

  package init(userID: UserID, viewerID: UserID) {
    self.userID = userID
    self.viewerID = viewerID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(viewerID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try StoredPartner(PartnerColumns.decode(row))
  }
}

/// The exact positions of users who have a group in common with the viewer; the caller has made sure of that.
package struct PositionsOf: Statement {
  package struct Row: Sendable {
    package let userID: UserID
    package let latitude: Double
    package let longitude: Double
    package let accuracyM: Double
  }

  package static let sql = """
    select user_id, latitude as latitude, longitude as longitude, accuracy_m as accuracy_m
    from partner_listings where user_id = any($1::uuid[]) and removed_at is null
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(userID: try row.next(), latitude: try row.next(), longitude: try row.next(), accuracyM: try row.next())
  }
}
