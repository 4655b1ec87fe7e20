-- Returns that a party confirmed before the other deleted the account waited for ever (LE-10). A departure completes
-- them now; for those from before, a job does so, with the entry in the history and the event for the catalog.

insert into jobs (id, kind, key, payload, created_at, due_at, ready_at)
select
  '019ab000-0000-7000-8000-000000000001' as id,
  'complete_returns' as kind,
  'people' as key,
  '' as payload,
  now() as created_at,
  now() as due_at,
  now() as ready_at
where
  exists (
    select from loans
    where
      state = 'BORROWED' and (owner_id is null or borrower_id is null)
      and (returned_by_owner_at is not null or returned_by_borrower_at is not null)
  )
on conflict (kind, key) where key is not null and dead_at is null do nothing;
