-- The outlines of buildings, so that a user at the door is at the gym.
--
-- squawk-ignore-file constraint-missing-not-valid

alter table gyms
add column outline double precision[],
add column radius_m double precision;

alter table gyms
add constraint gyms_outline_length check (
  array_ndims(outline) = 1 and array_length(outline, 1) between 8 and 128 and array_length(outline, 1) % 2 = 0
),
add constraint gyms_radius_range check (radius_m > 0 and radius_m <= 500);

comment on column gyms.outline is
'The outline of the building, as latitude and longitude of 4 to 64 points in turn, of which the last is the first; '
'null where the source has a point only (MA-8).';
comment on column gyms.radius_m is
'How far from the point the building may reach, by its source or an operator; null where neither says so (MA-8).';
