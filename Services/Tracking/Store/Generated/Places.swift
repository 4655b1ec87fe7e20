// Made from places.sql by Shared/Data/generate-statements. Not edited: `make sql` makes it again.

import ChatDomain
import Geography
import Identifiers
import Postgres
import TrackingDomain

/// A place of a user: `place`.
package struct StoredPlace: Sendable, Equatable, RowDecodable {
  package let id: PlaceID
  package let name: String
  package let latitude: Double
  package let longitude: Double
  package let radiusM: Double
  package let createdAt: Instant
  package let revision: Int64

  package init(
    id: PlaceID, name: String, latitude: Double, longitude: Double, radiusM: Double, createdAt: Instant,
    revision: Int64) {
    self.id = id
    self.name = name
    self.latitude = latitude
    self.longitude = longitude
    self.radiusM = radiusM
    self.createdAt = createdAt
    self.revision = revision
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> StoredPlace {
    StoredPlace(
      id: try row.next(), name: try row.next(), latitude: try row.next(), longitude: try row.next(),
      radiusM: try row.next(), createdAt: try row.next(), revision: try row.next())
  }
}

/// All places of some users, whose rows of `trackers` are locked, with where the users are, in the order of the users' ids.
package struct GeofencesOf: Statement {
  package struct Row: Sendable {
    package let placeID: PlaceID
    package let userID: UserID
    package let name: String
    package let latitude: Double
    package let longitude: Double
    package let radiusM: Double
    package let since: Instant
    package let presence: PresenceKind
    package let leavingSince: Instant?
    /// The groups that are told of it, in the order of their ids.
    package let groupIDs: [GroupID]
    /// Where each of these knows the user to be.
    package let presences: [PresenceKind]
    /// Of each, beside it; 0 is none.
    package let leavingSinces: [Instant]
  }

  package static let sql = """
    select
      place.id as place_id, place.user_id, place.name, place.latitude, place.longitude, place.radius_m, place.since,
      place.presence, place.leaving_since, told.group_ids as group_ids, told.presences as presences,
      told.leaving_sinces as leaving_sinces
    from places as place
    cross join lateral (
      select
        coalesce(array_agg(named.group_id order by named.group_id), '{}') as group_ids,
        coalesce(array_agg(coalesce(named.presence, place.presence) order by named.group_id), '{}') as presences,
        coalesce(
          array_agg(
            coalesce(case when named.presence is null then place.leaving_since else named.leaving_since end, 'epoch')
            order by named.group_id
          ), '{}'
        ) as leaving_sinces
      from place_groups as named where named.place_id = place.id
    ) as told
    where place.user_id = any($1::uuid[])
    order by place.user_id, place.id
    """
  package let userIDs: [UserID]

  package init(userIDs: [UserID]) {
    self.userIDs = userIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(
      placeID: try row.next(), userID: try row.next(), name: try row.next(), latitude: try row.next(),
      longitude: try row.next(), radiusM: try row.next(), since: try row.next(), presence: try row.next(),
      leavingSince: try row.next(), groupIDs: try row.next(), presences: try row.next(), leavingSinces: try row.next())
  }
}

/// Stores whether users, whose rows of `trackers` are locked, are at places; a time of 0 is none.
package struct PutPresences: Statement {
  package typealias Row = Void
  package static let sql = """
    update places set presence = changed.presence, leaving_since = nullif(changed.leaving_since, 'epoch')
    from unnest($1::uuid[], $2::text[], $3::timestamptz[])
      as changed (id, presence, leaving_since)
    where places.id = changed.id
    """
  package let placeIDs: [PlaceID]
  package let presences: [PresenceKind]
  package let leavingSinces: [Instant]

  package init(placeIDs: [PlaceID], presences: [PresenceKind], leavingSinces: [Instant]) {
    self.placeIDs = placeIDs
    self.presences = presences
    self.leavingSinces = leavingSinces
  }

  package func bind(_ p: inout Parameters) {
    p.append(placeIDs)
    p.append(presences)
    p.append(leavingSinces)
  }
}

/// Stores where groups know users to be who did not see all positions of users, whose rows of `trackers` are locked; a time of 0 is none, and an
/// empty kind that of the place.
package struct PutGroupPresences: Statement {
  package typealias Row = Void
  package static let sql = """
    update place_groups set presence = nullif(changed.presence, ''), leaving_since = nullif(changed.leaving_since, 'epoch')
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[])
      as changed (place_id, group_id, presence, leaving_since)
    where place_groups.place_id = changed.place_id and place_groups.group_id = changed.group_id
    """
  package let placeIDs: [PlaceID]
  package let groupIDs: [GroupID]
  package let kinds: [String]
  package let leavingSinces: [Instant]

  package init(placeIDs: [PlaceID], groupIDs: [GroupID], kinds: [String], leavingSinces: [Instant]) {
    self.placeIDs = placeIDs
    self.groupIDs = groupIDs
    self.kinds = kinds
    self.leavingSinces = leavingSinces
  }

  package func bind(_ p: inout Parameters) {
    p.append(placeIDs)
    p.append(groupIDs)
    p.append(kinds)
    p.append(leavingSinces)
  }
}

/// Counts one more place of a user, whose row is locked; no row where the user has the most that are allowed.
package struct CountPlace: SingleRowStatement {
  package typealias Row = Int32
  package static let sql = """
    update trackers set place_count = place_count + 1 where user_id = $1 and place_count < $2::integer
    returning place_count
    """
  package let userID: UserID
  package let limit: Int32

  package init(userID: UserID, limit: Int32) {
    self.userID = userID
    self.limit = limit
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(limit)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Counts one place less of a user, whose row is locked.
package struct UncountPlace: Statement {
  package typealias Row = Void
  package static let sql = """
    update trackers set place_count = place_count - 1 where user_id = $1
    """
  package let userID: UserID

  package init(userID: UserID) {
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
  }
}

/// Stores a place, which was counted.
package struct InsertPlace: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into places (id, user_id, name, latitude, longitude, radius_m, created_at, since)
    values ($1, $2, $3, $4, $5, $6, $7, $7)
    """
  package let placeID: PlaceID
  package let userID: UserID
  package let name: String
  package let latitude: Double
  package let longitude: Double
  package let radiusM: Double
  package let now: Instant

  package init(
    placeID: PlaceID, userID: UserID, name: String, latitude: Double, longitude: Double, radiusM: Double,
    now: Instant) {
    self.placeID = placeID
    self.userID = userID
    self.name = name
    self.latitude = latitude
    self.longitude = longitude
    self.radiusM = radiusM
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(placeID)
    p.append(userID)
    p.append(name)
    p.append(latitude)
    p.append(longitude)
    p.append(radiusM)
    p.append(now)
  }
}

/// Changes a place of a user, whose row of `trackers` is locked.
package struct ChangePlace: Statement {
  package typealias Row = Void
  package static let sql = """
    with forgotten as (
      update place_groups set presence = null, leaving_since = null
      where place_id = $1 and $2::boolean and presence is not null
    )
    update places
    set
      name = $3, latitude = $4, longitude = $5, radius_m = $6, revision = revision + 1,
      since = case when $2::boolean then $7 else since end,
      presence = case when $2::boolean then 'UNKNOWN' else presence end,
      leaving_since = case when not $2::boolean then leaving_since end
    where id = $1
    """
  package let placeID: PlaceID
  /// Whether it is another circle: then it is not known whether the user is there.
  package let isMoved: Bool
  package let name: String
  package let latitude: Double
  package let longitude: Double
  package let radiusM: Double
  package let now: Instant

  package init(
    placeID: PlaceID, isMoved: Bool, name: String, latitude: Double, longitude: Double, radiusM: Double, now: Instant) {
    self.placeID = placeID
    self.isMoved = isMoved
    self.name = name
    self.latitude = latitude
    self.longitude = longitude
    self.radiusM = radiusM
    self.now = now
  }

  package func bind(_ p: inout Parameters) {
    p.append(placeID)
    p.append(isMoved)
    p.append(name)
    p.append(latitude)
    p.append(longitude)
    p.append(radiusM)
    p.append(now)
  }
}

/// Those of some groups that a user is a member of, locked until the transaction ends, in the order of their ids: none of the memberships
/// ends meanwhile.
package struct HoldMemberships: Statement {
  package typealias Row = GroupID
  package static let sql = """
    select group_id from memberships where user_id = $1 and group_id = any($2::uuid[])
    order by group_id for key share
    """
  package let userID: UserID
  package let groupIDs: [GroupID]

  package init(userID: UserID, groupIDs: [GroupID]) {
    self.userID = userID
    self.groupIDs = groupIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(userID)
    p.append(groupIDs)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    try row.next()
  }
}

/// Removes the groups that are told of a place, but some.
package struct DropPlaceGroups: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from place_groups where place_id = $1 and group_id <> all($2::uuid[])
    """
  package let placeID: PlaceID
  package let groupIDs: [GroupID]

  package init(placeID: PlaceID, groupIDs: [GroupID]) {
    self.placeID = placeID
    self.groupIDs = groupIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(placeID)
    p.append(groupIDs)
  }
}

/// Adds groups, whose memberships are locked, to those that are told of a place.
package struct AddPlaceGroups: Statement {
  package typealias Row = Void
  package static let sql = """
    insert into place_groups (place_id, user_id, group_id)
    select $1, $2, named.id from unnest($3::uuid[]) as named (id) order by named.id
    on conflict on constraint place_groups_pkey do nothing
    """
  package let placeID: PlaceID
  package let userID: UserID
  package let groupIDs: [GroupID]

  package init(placeID: PlaceID, userID: UserID, groupIDs: [GroupID]) {
    self.placeID = placeID
    self.userID = userID
    self.groupIDs = groupIDs
  }

  package func bind(_ p: inout Parameters) {
    p.append(placeID)
    p.append(userID)
    p.append(groupIDs)
  }
}

/// A place of a user.
package struct PlaceOf: SingleRowStatement {
  package struct Row: Sendable {
    package let place: StoredPlace
    package let groupIDs: [GroupID]
  }

  package static let sql = """
    select place.id, place.name, place.latitude, place.longitude, place.radius_m, place.created_at, place.revision, array(
      select told.group_id from place_groups as told where told.place_id = place.id order by told.group_id
    ) as group_ids
    from places as place where place.id = $1 and place.user_id = $2
    """
  package let placeID: PlaceID
  package let userID: UserID

  package init(placeID: PlaceID, userID: UserID) {
    self.placeID = placeID
    self.userID = userID
  }

  package func bind(_ p: inout Parameters) {
    p.append(placeID)
    p.append(userID)
  }

  package static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Row {
    Row(place: try StoredPlace.decode(row), groupIDs: try row.next())
  }
}

/// A page of a user's places, the newest first ([C-5]).
package struct PlacesOf: Statement {
  package struct Row: Sendable {
    package let place: StoredPlace
    package let groupIDs: [GroupID]
  }

  package static let sql = """
    select place.id, place.name, place.latitude, place.longitude, place.radius_m, place.created_at, place.revision, array(
      select told.group_id from place_groups as told where told.place_id = place.id order by told.group_id
    ) as group_ids
    from places as place
    where place.user_id = $1 and ($2::uuid is null or place.id < $2)
    order by place.id desc
    limit $3
    """
  package let userID: UserID
  /// The last place of the previous page.
  package let before: PlaceID?
  package let limit: Int64

  package init(userID: UserID, before: PlaceID?, limit: Int64) {
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
    Row(place: try StoredPlace.decode(row), groupIDs: try row.next())
  }
}

/// Deletes a place.
package struct DeletePlace: Statement {
  package typealias Row = Void
  package static let sql = """
    delete from places where id = $1
    """
  package let placeID: PlaceID

  package init(placeID: PlaceID) {
    self.placeID = placeID
  }

  package func bind(_ p: inout Parameters) {
    p.append(placeID)
  }
}
