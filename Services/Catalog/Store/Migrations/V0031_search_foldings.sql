-- How far the searched words were made anew after a change of how the service spells words (CA-2, CA-13, CA-25).

create table search_foldings (
  kind text not null,
  version integer not null,
  last_id uuid not null,
  constraint search_foldings_pkey primary key (kind),
  constraint search_foldings_kind_known check (kind in ('BOOKS', 'GYMS', 'WORKOUTS')),
  constraint search_foldings_version_positive check (version > 0)
);

comment on table search_foldings is
'How far the searched words of stored rows were made anew, in the order of their ids. A row that the version before '
'adds while it still runs comes later in that order.';
comment on column search_foldings.kind is 'What the words belong to: BOOKS, GYMS or WORKOUTS.';
comment on column search_foldings.version is 'The version of the spelling; the service counts it.';
comment on column search_foldings.last_id is 'Up to and including this id, the words are those of that version.';
