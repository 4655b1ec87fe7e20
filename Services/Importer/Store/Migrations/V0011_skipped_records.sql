alter table file_imports add column skipped_count integer not null default 0;
alter table file_imports add column skipped_members text[] not null default '{}';
alter table file_imports add column skipped_lists text[] not null default '{}';
alter table file_imports add column skipped_indexes bigint[] not null default '{}';
alter table file_imports add column skipped_messages text[] not null default '{}';

comment on column file_imports.skipped_count is
'Records of JSON documents that could not be read; the others are stored.';
comment on column file_imports.skipped_members is
'Of the first 100 of them the member of the archive, or empty; this and the next three belong together.';
comment on column file_imports.skipped_lists is
'The name of the list in the document; empty if the document is a list.';
comment on column file_imports.skipped_indexes is 'The place in the list, from 0.';
comment on column file_imports.skipped_messages is 'What is wrong with the record.';
