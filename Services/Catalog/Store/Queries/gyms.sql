-- columns: GymColumns as StoredGym
-- The columns of a row `gym`, joined by the fragment joined_usage.
-- @id GymID
-- @reported_people: How many people the operator counted last.
-- @reported_at: When the operator counted them.
-- @checked_in: How many people checked in recently and are expected to be there still.
-- @checked_in_at: When the last of them checked in.
gym.id as "id!", gym.name as "name!", gym.latitude as "latitude!", gym.longitude as "longitude!",
-- Not null in gyms, which PostgreSQL does not see where NearestGyms takes them from a union.
gym.street as "street!", gym.house_number as "house_number!", gym.postcode as "postcode!", gym.city as "city!",
gym.country as "country!", gym.phone as "phone!", gym.website as "website!", gym.time_zone,
gym.opening_hours as "opening_hours!", coalesce(reported.capacity, gym.capacity) as capacity,
reported.people as reported_people, reported.observed_at as reported_at, present.people as "checked_in!",
present.latest as checked_in_at;

-- fragment: joined_usage(since, now)
-- Joins the usage to a row `gym`. Check-ins count that are later than `since`.
left join gym_usage as reported on reported.gym_id = gym.id
cross join lateral (
  select count(*) as people, max(presence.checked_in_at) as latest from gym_presences as presence
  where presence.gym_id = gym.id and presence.checked_in_at > {{since}}::timestamptz
    and presence.checked_in_at <= {{now}}::timestamptz and presence.leaves_at > {{now}}::timestamptz
) as present;

-- name: GymByID :one
-- A gym, with its usage.
select {{GymColumns}} from gyms as gym {{joined_usage(:since, :now)}} where gym.id = :gym_id;

-- name: GymPlaceByID :one
-- Where a gym is, with its outline ([MA-8]).
select id, name, latitude, longitude, time_zone, outline, radius_m from gyms where id = :gym_id;

-- fragment: point_of_search
extensions.cube(:vector::double precision[]);

-- fragment: chord_of_gym
gyms.place operator(extensions.<->) {{point_of_search}};

-- fragment: nearest_candidates
select gyms.*, {{chord_of_gym}} as chord from gyms;

-- fragment: is_further
(:after_chord?::double precision is null or ({{chord_of_gym}}, gyms.id) > (:after_chord?, :after_id?::uuid));

-- fragment: nearest_first
order by {{chord_of_gym}} fetch first (:limit::bigint) rows with ties;

-- name: NearestGyms :many slow
-- A page of the gyms around a point, the nearest first, then by id ([CA-1]).
-- @chord: The distance of its vector from the point's.
-- @max_chord: The radius of the search as a chord; 2 and more for the whole Earth.
-- @cube_size: Half an edge of the cube around the ball of that radius.
-- @after_id GymID
select {{GymColumns}}, gym.chord as "chord!"
from (
  -- The index returns the gyms by distance, and the scan ends with the last row needed and those at the same distance, among which the ids
  -- decide. With a radius only the cube around the ball is scanned. Without one there is no such condition, as the planner would assume it
  -- to be selective; one of the two halves is not executed.
  (
    {{nearest_candidates}} where :max_chord::double precision >= 2 and {{is_further}}
    {{nearest_first}}
  )
  union all
  (
    {{nearest_candidates}}
    where :max_chord < 2
      and gyms.place operator(extensions.<@) extensions.cube_enlarge({{point_of_search}}, :cube_size, 3)
      and {{chord_of_gym}} <= :max_chord and {{is_further}}
    {{nearest_first}}
  )
) as gym
{{joined_usage(:since, :now)}}
order by gym.chord, gym.id
limit :limit::bigint;

-- name: ZoneChanges :many slow
-- The UTC offsets of time zones during a period; no row for an unknown zone.
-- @moment: When the offset begins.
-- @seconds: How far the zone's clocks are ahead of UTC.
select zone.name as "zone!", change.moment as "moment!", change.seconds as "seconds!"
from unnest(:zones::text[]) as zone (name) cross join lateral zone_changes(zone.name, :since, :until) as change
order by zone.name, change.moment;

-- name: HasGyms :one
-- Whether gyms are loaded.
select exists (select 1 from gyms) as "has_gyms!";
