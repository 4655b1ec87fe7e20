-- When who has a session last proved who they are: what changes how an account is logged in to asks for that (ID-13).

alter table sessions add column proved_at timestamptz;

comment on column sessions.proved_at is
'When its owner last proved who they are, by a password typed since or, of a session that a provider began, to the '
'provider; null where that was when the session began.';
