-- Users who look for a partner, on a map.

create table partner_listings (
  user_id uuid not null,
  latitude double precision,
  longitude double precision,
  accuracy_m double precision,
  cell_band integer not null,
  cell_column integer not null,
  place extensions.cube not null,
  focus text not null,
  level text not null,
  window_ends_at timestamptz not null,
  moves integer not null,
  removed_at timestamptz,
  constraint partner_listings_pkey primary key (user_id),
  constraint partner_listings_user_fkey foreign key (user_id) references users (id),
  constraint partner_listings_latitude_range check (latitude between -90 and 90),
  constraint partner_listings_longitude_range check (longitude between -180 and 180),
  constraint partner_listings_accuracy_range check (accuracy_m between 0 and 500),
  constraint partner_listings_cell_range check (cell_band >= 0 and cell_column >= 0),
  constraint partner_listings_moves_range check (moves between 1 and 20),
  constraint partner_listings_position_while_listed check (
    num_nonnulls(latitude, longitude, accuracy_m) = case when removed_at is null then 3 else 0 end
  )
);

create index partner_listings_place_idx on partner_listings using gist (place extensions.gist_cube_ops)
where removed_at is null;
create index partner_listings_removed_at_idx on partner_listings (removed_at) where removed_at is not null;

comment on table partner_listings is
'Users who look for a partner, on a map (MA-13), and for 30 days the cells of those who left it.';
comment on column partner_listings.user_id is 'The user.';
comment on column partner_listings.latitude is
'Degrees north of the position, for users who have a group in common with the user alone; null off the map.';
comment on column partner_listings.longitude is
'Degrees east of the position, for users who have a group in common with the user alone; null off the map.';
comment on column partner_listings.accuracy_m is 'Radius of the circle in which the user is; null off the map.';
comment on column partner_listings.cell_band is 'Band of the grid''s cell in which strangers see the user.';
comment on column partner_listings.cell_column is 'Column of the grid''s cell in which strangers see the user.';
comment on column partner_listings.place is
'The middle of the cell, as a point on the unit sphere: all that lists are filtered and ordered by.';
comment on column partner_listings.focus is 'What the user wants to train.';
comment on column partner_listings.level is 'The user''s level in the focus.';
comment on column partner_listings.window_ends_at is 'When the window ends in which moves are counted.';
comment on column partner_listings.moves is 'How often the user has moved within the window.';
comment on column partner_listings.removed_at is 'When the user left the map; null while on it.';
