-- columns: StoredSearch
-- A saved search.
-- @focuses [Focus]
search.id, search.name, search.gym_id, search.latitude, search.longitude, search.radius_m, search.focuses, search.genders,
search.levels, search.weekdays, search.earliest_minute, search.latest_minute, search.time_zone, search.created_at;

-- name: InsertSearch :one
-- Saves a search of a user whose row the transaction has locked; no row if the user has the most searches.
-- @focuses [Focus]
-- @center: Of the area, on the unit sphere; null without one.
insert into saved_searches as search (
  id, user_id, place, name, gym_id, latitude, longitude, radius_m, area, max_chord, focuses, genders, levels, weekdays,
  earliest_minute, latest_minute, time_zone, created_at
)
select
  :search_id, :user_id, free.place, :name, :gym_id?, :latitude?, :longitude?, :radius_m?,
  extensions.cube_enlarge(extensions.cube(:center?::double precision[]), :max_chord?::double precision + 1e-6, 3), :max_chord?,
  :focuses, :genders, :levels, :weekdays, :earliest_minute?, :latest_minute?, :time_zone?, :now
from generate_series(1, 20) as free (place)
where not exists (select from saved_searches where user_id = :user_id and saved_searches.place = free.place)
order by free.place
limit 1
returning {{StoredSearch}};

-- name: SearchesOf :many
-- A user's saved searches, the newest first: there are 20 at most.
select {{StoredSearch}} from saved_searches as search where search.user_id = :user_id order by search.id desc;

-- name: DeleteSearch :one
-- Removes one of a user's saved searches; no row if it does not exist.
delete from saved_searches where id = :search_id and user_id = :user_id returning id;

-- name: DeleteSearchesOfUser :exec
-- Removes a user's saved searches ([C-9]).
delete from saved_searches where user_id = :user_id;

-- name: DeleteSearchNoticesOfUser :many
-- Removes some of the records of what a user was notified of ([C-9]).
delete from search_notices where user_id = :user_id and session_id in (
  select session_id from search_notices where user_id = :user_id order by session_id limit :limit
) returning true as "removed!";

-- name: DeleteOldSearchNotices :many
-- Removes records about sessions that have started.
delete from search_notices where (session_id, user_id) in (
  select session_id, user_id from search_notices where starts_at <= :moment limit :limit for update skip locked
) returning 1 as "removed!";

-- fragment: fitting
-- The users with a row `search` that an open session `posted` fits, beside its place, and who were not notified of it. Each kind of place has so
-- many users in the order of their ids: an index gives them, and the rest is not read.
select distinct search.user_id
from posted cross join saved_searches as search join users as viewer on viewer.id = search.user_id
where search.user_id > :after_user_id and search.user_id <> posted.owner_id and not viewer.deleted
  and not {{blocked(search.user_id, posted.owner_id)}}
  and not exists (
    select from search_notices as earlier
    where earlier.session_id = posted.id and earlier.user_id = search.user_id
  )
  and (cardinality(search.focuses) = 0 or posted.focus = any(search.focuses))
  and (cardinality(search.genders) = 0 or posted.owner_gender = any(search.genders))
  and (cardinality(search.levels) = 0 or posted.level = any(search.levels))
  and posted.admitted & case viewer.gender when 'MALE' then 1 when 'FEMALE' then 2 when 'OTHER' then 4 end <> 0
  and (posted.level in ('ADVANCED', 'EXPERT') or viewer.level in ('ADVANCED', 'EXPERT'))
  and (
    search.time_zone is null
    or (
      search.weekdays & (1 << (extract(isodow from posted.starts_at at time zone search.time_zone)::integer - 1)) <> 0
      and (
        search.earliest_minute is null
        or case
          when search.earliest_minute <= search.latest_minute
            then {{minute_of_start}} between search.earliest_minute and search.latest_minute
          else {{minute_of_start}} >= search.earliest_minute or {{minute_of_start}} <= search.latest_minute
        end
      )
    )
  );

-- fragment: in_order
order by search.user_id limit :limit;

-- fragment: minute_of_start
floor(extract(epoch from (posted.starts_at at time zone search.time_zone)::time) / 60);

-- name: NotifySearchers :many
-- Records users who have a saved search that an open session fits, and who were not notified of it, in the order of their ids; whoever is
-- recorded is to be notified.
-- @after_user_id UserID: The last user of the previous batch.
-- @user_id UserID
with posted as (
  select id, owner_id, gym_id, starts_at, focus, level, admitted, owner_gender,
    extensions.cube(array[
      cos(radians(gym_latitude)) * cos(radians(gym_longitude)), cos(radians(gym_latitude)) * sin(radians(gym_longitude)),
      sin(radians(gym_latitude))
    ]) as gym_place
  from sessions where id = :session_id and state = 'OPEN' and coalesce(joins_end_at, starts_at) > :now
), fitting as (
  -- A half for each kind of place, so that each has its index.
  ({{fitting}} and search.gym_id = posted.gym_id {{in_order}})
  union
  ({{fitting}} and search.area operator(extensions.@>) posted.gym_place
    and extensions.cube_distance(extensions.cube(array[
      cos(radians(search.latitude)) * cos(radians(search.longitude)),
      cos(radians(search.latitude)) * sin(radians(search.longitude)), sin(radians(search.latitude))
    ]), posted.gym_place) <= search.max_chord {{in_order}})
  union
  ({{fitting}} and search.gym_id is null and search.area is null {{in_order}})
)
insert into search_notices (user_id, session_id, starts_at)
select fitting.user_id, posted.id, posted.starts_at
from fitting cross join posted
order by fitting.user_id
limit :limit
on conflict on constraint search_notices_pkey do nothing
returning user_id;

-- name: IsTimeZone :one slow
-- Whether the database knows a time zone by an IANA name: abbreviations and offsets are no zones ([C-8]).
select exists (
  select from pg_timezone_names
  where name = :zone and name !~ '^(posix|right)/' and name not in ('Factory', 'localtime', 'posixrules')
) as "is_one!";
