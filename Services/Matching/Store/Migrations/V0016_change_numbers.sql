-- Changes of sessions are numbered as events are: the numbers rise although the database is restored (C-11).

-- The path is that of the migration: an operator's session may have another.
create function note_participation_change() returns trigger
language plpgsql
set search_path from current
as $$
begin
  select (event_log.transaction_offset + pg_current_xact_id()::text::bigint)::text::xid8 into strict new.changed_in
  from event_log;
  return new;
end
$$;

comment on function note_participation_change() is
'Numbers a change of a session for a user, as the log of events numbers transactions.';

create trigger participations_change before insert or update of changed_in on participations
for each row execute function note_participation_change();

comment on column participations.changed_in is
'The transaction that last changed the session for this user, numbered as those of events: numbers rise although the '
'database is restored (C-11).';
