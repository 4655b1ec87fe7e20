-- Drops partitions of days that are over. While it waits for a lock all others wait behind it, so it gives up soon:
-- what is not dropped now is dropped later.
create function drop_partitions(parent text, before timestamptz, if_empty boolean) returns integer
language plpgsql set lock_timeout = '100ms' as $$
declare
  partition text;
  is_used boolean := false;
  dropped integer := 0;
begin
  for partition in
    select child.relname from pg_inherits
    join pg_class as child on child.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = to_regclass(parent)
      and to_date(right(child.relname, 8), 'YYYYMMDD') + 1 <= (before at time zone 'UTC')::date
    order by child.relname
  loop
    if if_empty then
      execute format('select exists (select from %I)', partition) into is_used;
    end if;
    if not is_used then
      begin
        execute format('drop table %I', partition);
      exception when lock_not_available then
        return dropped;
      end;
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end;
$$;

comment on function drop_partitions(text, timestamptz, boolean) is
'Drops partitions of days in UTC that ended before a moment, all or those without rows; returns how many.';
