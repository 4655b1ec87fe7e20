-- Neighbouring gyms share a tile, and the index of places has tiles: to put a gym of its own into it took longer than
-- all the rest of a load (CA-1, CA-5).
--
-- squawk-ignore-file require-concurrent-index-deletion

create table gym_tiles (
  id bigint not null generated always as identity,
  place extensions.cube not null,
  gyms uuid[] not null,
  places extensions.cube[] not null,
  constraint gym_tiles_pkey primary key (id),
  constraint gym_tiles_gyms_limit check (cardinality(gyms) <= 16),
  constraint gym_tiles_places_fit check (cardinality(places) = cardinality(gyms))
);

create index gym_tiles_place_idx on gym_tiles using gist (place extensions.gist_cube_ops);

comment on table gym_tiles is
'Gyms that are near each other, sixteen at most: each gym is in one tile, by triggers on gyms. Nothing in a tile is '
'nearer to a point than the tile is, so the nearest gyms are in the nearest tiles (CA-1).';
comment on column gym_tiles.id is 'In the order of their making.';
comment on column gym_tiles.place is 'A box around the places.';
comment on column gym_tiles.gyms is 'Ids of gyms; none once all have moved.';
comment on column gym_tiles.places is 'gyms.place of each, in the same order.';

create function place_on_curve(latitude double precision, longitude double precision) returns bigint
language plpgsql immutable
as $$
declare
  -- Sixteen bits of each, some hundred metres, in a half of its own.
  bits bigint := least(65535, floor((longitude + 180) / 360 * 65536))::bigint
    | (least(65535, floor((latitude + 90) / 180 * 65536))::bigint << 32);
begin
  bits := (bits | (bits << 8)) & x'00ff00ff00ff00ff'::bigint;
  bits := (bits | (bits << 4)) & x'0f0f0f0f0f0f0f0f'::bigint;
  bits := (bits | (bits << 2)) & x'3333333333333333'::bigint;
  bits := (bits | (bits << 1)) & x'5555555555555555'::bigint;
  return (bits | (bits >> 31)) & x'ffffffff'::bigint;
end
$$;

comment on function place_on_curve is
'Where a point is on a curve that comes through every square before it goes on to the next one, and so through its '
'quarters (Morton, 1966): what is close on the curve is close on the Earth.';

-- The same as the trigger below does, for the gyms that are there.
insert into gym_tiles (place, gyms, places)
select
  extensions.cube(array[min(x), min(y), min(z)], array[max(x), max(y), max(z)]) as place, array_agg(id) as gyms,
  array_agg(place) as places
from (
  select
    id, place, square, extensions.cube_ll_coord(place, 1) as x, extensions.cube_ll_coord(place, 2) as y,
    extensions.cube_ll_coord(place, 3) as z, (row_number() over (partition by square order by curve) - 1) / 16 as part
  from (
    select gyms.id, gyms.place, curve, curve >> 10 as square
    from gyms cross join lateral place_on_curve(gyms.latitude, gyms.longitude) as curve
  ) as placed
) as numbered
group by square, part
order by square, part;

create function tile_new_gyms() returns trigger
language plpgsql
set search_path from current
as $$
begin
  insert into gym_tiles (place, gyms, places)
  select
    extensions.cube(array[min(x), min(y), min(z)], array[max(x), max(y), max(z)]) as place, array_agg(id) as gyms,
    array_agg(place) as places
  from (
    select
      id, place, square, extensions.cube_ll_coord(place, 1) as x, extensions.cube_ll_coord(place, 2) as y,
      extensions.cube_ll_coord(place, 3) as z, (row_number() over (partition by square order by curve) - 1) / 16 as part
    from (
      select gym.id, gym.place, curve, curve >> 10 as square
      from added as gym cross join lateral place_on_curve(gym.latitude, gym.longitude) as curve
    ) as placed
  ) as numbered
  group by square, part
  order by square, part;
  return null;
end
$$;

comment on function tile_new_gyms is
'Puts gyms that come together into tiles, in the order of the curve; no tile has gyms of two squares of some 20 km.';

create trigger gyms_tiled
after insert on gyms referencing new table as added
for each statement execute function tile_new_gyms();

create function tile_moved_gyms() returns trigger
language plpgsql
set search_path from current
as $$
begin
  if tg_op = 'UPDATE' then
    insert into gym_tiles (place, gyms, places)
    select gym.place, array[gym.id], array[gym.place]
    from gym_after as gym join gym_before as former on former.id = gym.id
    where (gym.latitude, gym.longitude) is distinct from (former.latitude, former.longitude);
    if not found then
      return null;
    end if;
  end if;
  with gone as (
    select tile.id, array_agg(former.id) as gyms
    from gym_before as former join gym_tiles as tile
      on tile.place operator(extensions.@>) former.place and former.id = any(tile.gyms)
    where not exists (
      select from gyms where gyms.id = former.id
        and (gyms.latitude, gyms.longitude) is not distinct from (former.latitude, former.longitude)
    )
    group by tile.id
  )
  update gym_tiles as tile
  set
    gyms = array(select id from unnest(tile.gyms) as id where id <> all(gone.gyms)),
    places = array(
      select member.place from unnest(tile.gyms, tile.places) as member (id, place) where member.id <> all(gone.gyms)
    )
  from gone where tile.id = gone.id;
  return null;
end
$$;

comment on function tile_moved_gyms is
'Puts a gym that is somewhere else now into a tile of its own, and takes those that moved or went out of theirs.';

create trigger gyms_moved
after update on gyms referencing old table as gym_before new table as gym_after
for each statement execute function tile_moved_gyms();

create trigger gyms_gone
after delete on gyms referencing old table as gym_before
for each statement execute function tile_moved_gyms();

create function clear_gym_tiles() returns trigger
language plpgsql
set search_path from current
as $$
begin
  truncate gym_tiles;
  return null;
end
$$;

comment on function clear_gym_tiles is 'Takes the tiles along when all gyms are taken away at once.';

create trigger gyms_cleared
after truncate on gyms
for each statement execute function clear_gym_tiles();

drop index gyms_place_idx;

-- Which plans are good is known here, and not to a planner that guesses how many gyms are near.
create function nearest_gyms(
  here extensions.cube, within double precision, behind double precision, behind_id uuid, most bigint
)
returns table (id uuid, chord double precision)
language plpgsql stable rows 50
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
set plan_cache_mode = force_generic_plan
as $$
declare
  -- So that rounding leaves nothing out: six metres.
  margin constant double precision := 1e-6;
  -- Two tiles more than are wanted, for the nearest tiles have gyms at their far ends too.
  tried constant bigint := most + 32;
  reach double precision;
begin
  -- The gyms of the nearest tiles are not the nearest ones, but these are no farther than as many of them.
  select early.chord into reach
  from (
    select member.place operator(extensions.<->) here as chord
    from (
      select tile.gyms, tile.places from gym_tiles as tile
      where tile.place operator(extensions.&&) extensions.cube_enlarge(here, within + margin, 3)
      order by tile.place operator(extensions.<->) here
    ) as near
    cross join lateral unnest(near.gyms, near.places) as member (id, place)
    where member.place operator(extensions.<->) here <= within
      and (behind is null or (member.place operator(extensions.<->) here, member.id) > (behind, behind_id))
    limit tried
  ) as early
  order by early.chord offset most - 1 limit 1;
  reach := coalesce(reach, within);
  return query
  select member.id, member.place operator(extensions.<->) here
  from gym_tiles as tile
  cross join lateral unnest(tile.gyms, tile.places) as member (id, place)
  where tile.place operator(extensions.&&) extensions.cube_enlarge(here, reach + margin, 3)
    and tile.place operator(extensions.<->) here <= reach + margin
    and member.place operator(extensions.<->) here <= reach
    and (behind is null or (member.place operator(extensions.<->) here, member.id) > (behind, behind_id))
  order by 2, 1
  limit most;
end
$$;

comment on function nearest_gyms is
'The gyms around a place whose vectors are within a chord of it, the nearest first, of those at the same distance by '
'their ids, behind a chord and an id: as many of the nearest as are wanted, exactly (CA-1).';
