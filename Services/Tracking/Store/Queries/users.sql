-- name: MarkAccountDeleted :exec
-- Marks a user's account as deleted ([C-9]); nothing of the user is stored from then on.
insert into users (id, deleted) values (:user_id, true)
on conflict on constraint users_pkey do update set username = '', deleted = true;

-- name: EnterUser :exec
-- Creates the row of an unknown user.
insert into users (id) values (:user_id) on conflict on constraint users_pkey do nothing;

-- name: EnterUsers :exec
-- Creates the rows of unknown users.
insert into users (id) select distinct id from unnest(:user_ids::uuid[]) as named (id) order by id
on conflict on constraint users_pkey do nothing;

-- name: EnteredUser :one
-- Whether a user may store something; takes a shared lock on the user's row, so that no account deletion is stored until the transaction
-- ends. No row for an unknown user.
select not deleted as "may_write!" from users where id = :user_id for share;

-- name: BeginErasure :exec
-- Has the journeys and alerts of a user with their paths, and the positions in the logs of groups, be removed in parts ([C-9]): no user sees the
-- journeys from then on, and views begin anew behind the end of a membership.
insert into erasures (user_id) values (:user_id) on conflict on constraint erasures_pkey do nothing;

-- name: DueErasures :many
-- Locks some users of whom something may be left, by chance, so that none waits for ever behind one whose removal fails.
select user_id from erasures order by random() limit :limit for update skip locked;

-- name: ErasePathPoints :many
-- Removes some of a user's paths.
delete from path_points where (user_id, recorded_at) in (
  select user_id, recorded_at from path_points where user_id = :user_id order by recorded_at limit :limit
) returning true as "erased!";

-- name: EraseGroupChanges :many
-- Removes some of a user's positions, places and journeys from what changed in groups; the numbers stay.
update group_changes
set latitude = null, longitude = null, accuracy_m = null, altitude_m = null, speed_mps = null, course = null,
  recorded_at = null, journey_id = null, promised_at = null, estimated_at = null, place_name = null,
  kind = case when place_name is null then kind else 'STATE' end
where (group_id, sequence, changed_at) in (
  select group_id, sequence, changed_at from group_changes
  where user_id = :user_id
    and num_nonnulls(latitude, place_name, recorded_at, journey_id, promised_at, estimated_at) > 0
  order by changed_at
  limit :limit
) returning true as "erased!";

-- name: EraseJourneys :many
-- Removes some of a user's journeys and alerts, with their links, once no path is left.
delete from journeys where id in (
  select id from journeys
  where user_id = :user_id and not exists (select from path_points where path_points.user_id = :user_id)
  limit :limit
) returning true as "erased!";

-- name: EndErasures :exec
-- Nothing is left of some users.
delete from erasures where user_id = any(:user_ids::uuid[]);

-- name: DeleteTrackerOfUser :exec
-- Removes a user's position ([C-9]).
delete from trackers where user_id = :user_id;

-- name: DeleteMembershipsOfUser :exec
-- Removes a user from all groups ([C-9]). Identity reports the end of each membership, too.
delete from memberships where user_id = :user_id;

-- name: DeletePlacesOfUser :exec
-- Removes a user's places ([C-9]).
delete from places where user_id = :user_id;
