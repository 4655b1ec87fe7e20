-- Notes. The constraints are there to be broken: at once, and at the commit.
create table notes (
  id uuid not null,
  text text not null,
  rank bigint not null,
  colour text not null,
  parent_id uuid,
  constraint notes_pkey primary key (id),
  constraint notes_text_check check (text <> 'forbidden'),
  constraint notes_parent_fkey foreign key (parent_id) references notes (id) deferrable initially deferred
);

create index notes_rank_idx on notes (rank, id);

comment on table notes is 'Notes of nobody in particular.';
comment on column notes.id is 'UUIDv7, made by the service.';
comment on column notes.text is 'What it says.';
comment on column notes.rank is 'Its place in the list.';
comment on column notes.colour is 'What the list may be filtered by.';
comment on column notes.parent_id is 'The note that its colour names, where that is an id.';
