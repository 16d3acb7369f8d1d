-- Whose jobs a process has in hand, as the job queue names them, so that those of a process that is gone are given back.
-- Null: a release before this one, which does not say.
alter table process add column workers text[];
