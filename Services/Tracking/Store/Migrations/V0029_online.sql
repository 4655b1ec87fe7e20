-- Who is online is always looked up by an index. `chat_presence` is empty when the service starts, and the database
-- keeps the plan that it made of a statement for the empty table: it read the whole table for each member of each
-- conversation that was opened, longer and longer as users came. So the plan is made here, where no scan of the table
-- is considered.

create function is_online(conversation uuid, member uuid, besides uuid default null) returns boolean
language plpgsql stable
set enable_seqscan = off
set enable_bitmapscan = off
as $$
begin
  return exists (
    select from (
      select found.replica_id from chat_presence as found
      where found.conversation_id = is_online.conversation and found.user_id = is_online.member
      -- Of an empty table all indexes are alike: without this the plan may read all that a process has open.
      offset 0
    ) as open
    join chat_replicas on chat_replicas.id = open.replica_id
    where open.replica_id is distinct from is_online.besides and chat_replicas.expires_at > now()
  );
end
$$;

comment on function is_online(uuid, uuid, uuid) is
'Whether a process whose lease runs, other than the last argument, has a stream of the user with the conversation '
'open.';

create function online_members(conversations uuid[]) returns table (conversation_id uuid, user_id uuid)
language sql stable
set enable_seqscan = off
as $$
  select distinct chat_presence.conversation_id, chat_presence.user_id
  from chat_presence
  join chat_replicas on chat_replicas.id = chat_presence.replica_id and chat_replicas.expires_at > now()
  join chat_members as member
    on member.conversation_id = chat_presence.conversation_id and member.user_id = chat_presence.user_id
  where chat_presence.conversation_id = any(conversations)
$$;

comment on function online_members(uuid[]) is 'Which members are online in some conversations.';
