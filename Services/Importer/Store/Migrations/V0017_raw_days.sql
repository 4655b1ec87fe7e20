alter table daily_steps add column raw text;
alter table weights add column raw text;

comment on column daily_steps.raw is
'What the source says of the day beyond its steps, as JSON; null if nothing (IM-7).';
comment on column weights.raw is 'What the source says beyond the model, as JSON; null if nothing (IM-7).';
