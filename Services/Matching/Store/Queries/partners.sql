-- columns: ListingColumns as StoredListing
-- A user's own listing.
listing.latitude, listing.longitude, listing.accuracy_m, listing.cell_band, listing.cell_column, listing.focus,
listing.level, listing.window_ends_at, listing.moves;

-- name: LockedListing :one
-- What is stored of a user's listing, also when the user has left the map; locked until the transaction ends, so that of concurrent moves each is
-- counted. The transaction has locked the user's row before, as there may be no listing to lock.
select {{ListingColumns}} from partner_listings as listing where listing.user_id = :user_id for update;

-- name: ListingOf :one
-- What is stored of a user's listing, also when the user has left the map.
select {{ListingColumns}} from partner_listings as listing where listing.user_id = :user_id;

-- name: PutListing :exec
-- Puts a user on the map, or moves the user.
-- @vector: Of the middle of the cell, on the unit sphere.
insert into partner_listings (
  user_id, latitude, longitude, accuracy_m, cell_band, cell_column, place, focus, level, window_ends_at, moves, removed_at
)
values (
  :user_id, :latitude::double precision, :longitude::double precision, :accuracy_m::double precision, :cell_band, :cell_column,
  extensions.cube(:vector::double precision[]), :focus, :level, :window_ends_at, :moves, null
)
on conflict on constraint partner_listings_pkey do update
set latitude = excluded.latitude, longitude = excluded.longitude, accuracy_m = excluded.accuracy_m,
  cell_band = excluded.cell_band, cell_column = excluded.cell_column, place = excluded.place, focus = excluded.focus,
  level = excluded.level, window_ends_at = excluded.window_ends_at, moves = excluded.moves, removed_at = null;

-- name: TakeOffMap :exec
-- Takes a user off the map; the position is deleted, and the cell stays for the rule about cells ([MA-13]).
update partner_listings
set latitude = null, longitude = null, accuracy_m = null, removed_at = :now
where user_id = :user_id and removed_at is null;

-- name: DeleteListingOfUser :exec
-- Removes what is stored of a user's listing ([C-9]).
delete from partner_listings where user_id = :user_id;

-- name: DeleteOldListings :many
-- Removes the cells of users who left the map long ago.
delete from partner_listings where user_id in (
  select user_id from partner_listings where removed_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- fragment: point_of_map
extensions.cube(:vector::double precision[]);

-- fragment: chord_of_cell
listing.place operator(extensions.<->) {{point_of_map}};

-- columns: PartnerColumns as StoredPartner
-- A user as strangers see them: nothing of this is computed from the position itself.
listing.user_id, users.username, listing.cell_band, listing.cell_column, listing.focus, listing.level;

-- name: PartnersNear :many slow
-- A page of the users in the cells around a point, the nearest cell first, then by id ([MA-13]). Only cells are read: the columns with the
-- position are not.
-- @chord: The distance of the cell's vector from the point's.
-- @max_chord: The radius of the search as a chord.
-- @cube_size: Half an edge of the cube around the ball of that radius.
-- @after_id UserID
-- @focuses [Focus]: Empty for all.
-- @levels: Empty for all.
select {{PartnerColumns}}, listing.chord as "chord!"
from (
  -- The index returns the cells by distance, and the scan ends with the last row needed and those at the same distance, among which the ids
  -- decide.
  select listing.*, {{chord_of_cell}} as chord from partner_listings as listing
  where listing.removed_at is null
    and listing.place operator(extensions.<@) extensions.cube_enlarge({{point_of_map}}, :cube_size, 3)
    and {{chord_of_cell}} <= :max_chord
    and (cardinality(:focuses::text[]) = 0 or listing.focus = any(:focuses))
    and (cardinality(:levels::text[]) = 0 or listing.level = any(:levels))
    and listing.user_id <> :viewer_id and {{visible(listing.user_id, :viewer_id)}}
    and (
      :after_chord?::double precision is null
      or ({{chord_of_cell}}, listing.user_id) > (:after_chord?, :after_id?::uuid)
    )
  order by {{chord_of_cell}} fetch first (:limit::bigint) rows with ties
) as listing
join users on users.id = listing.user_id
order by listing.chord, listing.user_id
limit :limit::bigint;

-- name: PartnerOnMap :one
-- A user on the map, for another user; no row where one of the two has blocked the other.
select {{PartnerColumns}}
from partner_listings as listing join users on users.id = listing.user_id
where listing.user_id = :user_id and listing.removed_at is null and not {{blocked(listing.user_id, :viewer_id)}};

-- name: PositionsOf :many
-- The exact positions of users who have a group in common with the viewer; the caller has made sure of that.
select user_id, latitude as "latitude!", longitude as "longitude!", accuracy_m as "accuracy_m!"
from partner_listings where user_id = any(:user_ids::uuid[]) and removed_at is null;
