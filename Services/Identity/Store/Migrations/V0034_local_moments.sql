-- Security mail says when something happened in the time of its reader (ID-16).

create function seconds_from_utc(moment timestamptz, zone text) returns integer
language plpgsql stable
as $$
begin
  return extract(epoch from (moment at time zone zone) - (moment at time zone 'UTC'))::integer;
exception when invalid_parameter_value then
  return null;
end
$$;

comment on function seconds_from_utc(timestamptz, text) is
'How far a zone is ahead of UTC at a moment; null where the database does not know the zone, so that the name of one '
'holds up no mail.';
