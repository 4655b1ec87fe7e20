-- Waiting lists of matched sessions, and to whom a place is offered.
-- Of the released programs none has posted a session: the table is empty.
--
-- squawk-ignore-file constraint-missing-not-valid

alter table sessions
add column offered_to uuid,
add column offered_until timestamptz;

alter table sessions
add constraint sessions_offer_whole check ((offered_to is null) = (offered_until is null)) not valid,
add constraint sessions_offer_open check (offered_to is null or state = 'OPEN') not valid;

alter table sessions validate constraint sessions_offer_whole;
alter table sessions validate constraint sessions_offer_open;

comment on column sessions.offered_to is
'The user of the waiting list who alone may join until offered_until; null without an offer.';
comment on column sessions.offered_until is 'When the offer ends; null without one.';

-- An offer ends with whatever ends the session's being open. That no other user joins while it lasts is not left to the
-- statements that join.
create function end_offer() returns trigger language plpgsql as $$
begin
  if new.state <> 'OPEN' then
    if new.state = 'MATCHED' and old.state = 'OPEN' and old.offered_to <> new.partner_id
      and new.updated_at < old.offered_until
    then
      raise exception 'the place is offered to another user'
        using errcode = 'check_violation', constraint = 'sessions_offer_kept', table = 'sessions';
    end if;
    new.offered_to := null;
    new.offered_until := null;
  end if;
  return new;
end
$$;

comment on function end_offer() is 'Keeps an offered place for the user to whom it is offered, and ends the offer.';

create trigger sessions_end_offer before update of state on sessions
for each row when (old.offered_to is not null) execute function end_offer();

create table waiting_list (
  session_id uuid not null,
  user_id uuid not null,
  number bigint not null,
  starts_at timestamptz not null,
  joined_at timestamptz not null,
  constraint waiting_list_pkey primary key (session_id, user_id),
  constraint waiting_list_number_key unique (session_id, number),
  constraint waiting_list_session_fkey foreign key (session_id) references sessions (id),
  constraint waiting_list_user_fkey foreign key (user_id) references users (id)
);

create index waiting_list_user_idx on waiting_list (user_id, starts_at);
create index waiting_list_starts_at_idx on waiting_list (starts_at);

comment on table waiting_list is
'Users who wait for a place in a session. A transaction that changes it has locked the session''s row.';
comment on column waiting_list.session_id is 'The session.';
comment on column waiting_list.user_id is 'The user who waits.';
comment on column waiting_list.number is 'Grows with every user who joins the list: who joined first is first.';
comment on column waiting_list.starts_at is 'When the session starts: the row means nothing from then on.';
comment on column waiting_list.joined_at is 'When the user joined the list.';
