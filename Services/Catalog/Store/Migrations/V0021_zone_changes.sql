-- The moments at which clocks change are whole minutes, whatever moment a table begins with: before, they were up to a
-- minute late, and opening hours beside them up to an hour wrong (CA-3).

create or replace function zone_changes(zone text, first_moment timestamptz, last_moment timestamptz)
returns table (moment timestamptz, seconds integer)
language plpgsql stable
as $$
begin
  return query
  with steps as (
    select step, extract(epoch from (step at time zone zone) - (step at time zone 'UTC'))::integer as ahead
    from generate_series(date_trunc('minute', first_moment), last_moment + interval '6 hours', interval '6 hours') as step
  ),
  followed as (select step, ahead, lag(ahead) over (order by step) as before from steps)
  select
    case
      when before is null then step
      else (
        select min(minute) from generate_series(step - interval '6 hours', step, interval '1 minute') as minute
        where extract(epoch from (minute at time zone zone) - (minute at time zone 'UTC'))::integer = ahead
      )
    end, ahead
  from followed
  where before is distinct from ahead
  order by 1;
exception when invalid_parameter_value then
  -- No such zone in this database.
  return;
end
$$;

comment on function zone_changes(text, timestamptz, timestamptz) is
'How far a zone''s clocks are ahead of UTC at a moment, and when that changes until another, to the minute; nothing '
'for an unknown zone.';
