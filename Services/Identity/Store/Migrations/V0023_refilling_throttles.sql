-- Limits of thousands: what refills evenly is one moment, however many were counted (ID-17).

alter table throttles add column empty_at timestamptz;

comment on column throttles.empty_at is
'Of a kind that refills: when all that was counted has run out, each attempt for its share of the time; null for the '
'other kinds.';
