-- Books that their owners withhold (CA-29).

alter table books add column on_hold boolean not null default false;

comment on column books.on_hold is
'Whether its owner withholds it, as lending has reported: others do not find it (CA-29).';
