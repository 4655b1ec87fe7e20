-- Where the gyms of sessions are, so that browsing by a point begins with the nearest ones.
-- Of the released programs none has posted a session: the tables are as good as empty.
--
-- squawk-ignore-file ban-drop-column, require-concurrent-index-deletion

create table gyms (
  id uuid not null,
  place extensions.cube not null,
  last_start timestamptz not null,
  constraint gyms_pkey primary key (id)
);

insert into gyms (id, place, last_start)
select distinct on (gym_id)
  gym_id,
  extensions.cube(array[
    cos(radians(gym_latitude)) * cos(radians(gym_longitude)), cos(radians(gym_latitude)) * sin(radians(gym_longitude)),
    sin(radians(gym_latitude))
  ]) as place,
  starts_at
from sessions order by gym_id asc, starts_at desc;

create index gyms_place_idx on gyms using gist (place extensions.gist_cube_ops);
create index gyms_last_start_idx on gyms (last_start);

comment on table gyms is 'Gyms of sessions that are yet to start, and of some that have (MA-3).';
comment on column gyms.id is 'The catalog''s id.';
comment on column gyms.place is 'The point on the unit sphere.';
comment on column gyms.last_start is 'No session in the gym starts later; some time after it the row is removed.';

-- With the slot as a fourth dimension an index on sessions was read in large part for some filters.
drop index sessions_place_idx;
drop index sessions_kind_place_idx;
alter table sessions drop column place;
