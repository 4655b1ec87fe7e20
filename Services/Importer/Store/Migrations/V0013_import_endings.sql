-- The new constraint allows all that the old one did, so there is nothing to validate.
-- squawk-ignore ban-drop-constraint
alter table file_imports drop constraint file_imports_state_known;
alter table file_imports add constraint file_imports_state_known
check (state in ('RUNNING', 'DONE', 'FAILED', 'CANCELLED')) not valid;
alter table file_imports add column failure text;

comment on column file_imports.state is
'RUNNING, then DONE, FAILED or CANCELLED; one that the service left RUNNING was interrupted.';
comment on column file_imports.failure is
'The reason of the refusal that ended it, as clients get it; null for one that runs or is done.';
