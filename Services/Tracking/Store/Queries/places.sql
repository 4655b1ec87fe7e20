-- fragment: groups_of(place_id)
array(
  select told.group_id from place_groups as told where told.place_id = {{place_id}} order by told.group_id
);

-- columns: StoredPlace: Equatable
-- A place of a user: `place`.
place.id, place.name, place.latitude, place.longitude, place.radius_m, place.created_at, place.revision;

-- name: GeofencesOf :many
-- All places of some users, whose rows of `trackers` are locked, with where the users are, in the order of the users' ids.
-- @group_ids: The groups that are told of it, in the order of their ids.
-- @presences: Where each of these knows the user to be.
-- @leaving_sinces: Of each, beside it; 0 is none.
select
  place.id as place_id, place.user_id, place.name, place.latitude, place.longitude, place.radius_m, place.since,
  place.presence, place.leaving_since, told.group_ids as "group_ids!", told.presences as "presences!",
  told.leaving_sinces as "leaving_sinces!"
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
where place.user_id = any(:user_ids::uuid[])
order by place.user_id, place.id;

-- name: PutPresences :exec
-- Stores whether users, whose rows of `trackers` are locked, are at places; a time of 0 is none.
update places set presence = changed.presence, leaving_since = nullif(changed.leaving_since, 'epoch')
from unnest(:place_ids::uuid[], :presences::text[], :leaving_sinces::timestamptz[])
  as changed (id, presence, leaving_since)
where places.id = changed.id;

-- name: PutGroupPresences :exec
-- Stores where groups know users to be who did not see all positions of users, whose rows of `trackers` are locked; a time of 0 is none, and an
-- empty kind that of the place.
update place_groups set presence = nullif(changed.presence, ''), leaving_since = nullif(changed.leaving_since, 'epoch')
from unnest(:place_ids::uuid[], :group_ids::uuid[], :kinds::text[], :leaving_sinces::timestamptz[])
  as changed (place_id, group_id, presence, leaving_since)
where place_groups.place_id = changed.place_id and place_groups.group_id = changed.group_id;

-- name: CountPlace :one
-- Counts one more place of a user, whose row is locked; no row where the user has the most that are allowed.
update trackers set place_count = place_count + 1 where user_id = :user_id and place_count < :limit::integer
returning place_count;

-- name: UncountPlace :exec
-- Counts one place less of a user, whose row is locked.
update trackers set place_count = place_count - 1 where user_id = :user_id;

-- name: InsertPlace :exec
-- Stores a place, which was counted.
insert into places (id, user_id, name, latitude, longitude, radius_m, created_at, since)
values (:place_id, :user_id, :name, :latitude, :longitude, :radius_m, :now, :now);

-- name: ChangePlace :exec
-- Changes a place of a user, whose row of `trackers` is locked.
-- @is_moved: Whether it is another circle: then it is not known whether the user is there.
with forgotten as (
  update place_groups set presence = null, leaving_since = null
  where place_id = :place_id and :is_moved::boolean and presence is not null
)
update places
set
  name = :name, latitude = :latitude, longitude = :longitude, radius_m = :radius_m, revision = revision + 1,
  since = case when :is_moved::boolean then :now else since end,
  presence = case when :is_moved::boolean then 'UNKNOWN' else presence end,
  leaving_since = case when not :is_moved::boolean then leaving_since end
where id = :place_id;

-- name: HoldMemberships :many
-- Those of some groups that a user is a member of, locked until the transaction ends, in the order of their ids: none of the memberships
-- ends meanwhile.
select group_id from memberships where user_id = :user_id and group_id = any(:group_ids::uuid[])
order by group_id for key share;

-- name: DropPlaceGroups :exec
-- Removes the groups that are told of a place, but some.
delete from place_groups where place_id = :place_id and group_id <> all(:group_ids::uuid[]);

-- name: AddPlaceGroups :exec
-- Adds groups, whose memberships are locked, to those that are told of a place.
insert into place_groups (place_id, user_id, group_id)
select :place_id, :user_id, named.id from unnest(:group_ids::uuid[]) as named (id) order by named.id
on conflict on constraint place_groups_pkey do nothing;

-- name: PlaceOf :one
-- A place of a user.
select {{StoredPlace}}, {{groups_of(place.id)}} as "group_ids!"
from places as place where place.id = :place_id and place.user_id = :user_id;

-- name: PlacesOf :many
-- A page of a user's places, the newest first ([C-5]).
-- @before PlaceID: The last place of the previous page.
select {{StoredPlace}}, {{groups_of(place.id)}} as "group_ids!"
from places as place
where place.user_id = :user_id and (:before?::uuid is null or place.id < :before?)
order by place.id desc
limit :limit;

-- name: DeletePlace :exec
-- Deletes a place.
delete from places where id = :place_id;
