-- compatible with 0041

-- Whether this installation is being moved to another database (docs/moving.md). No row: it is not. The process that moves it
-- writes here while every other table refuses writes (db/functions/refuse_moving_write.sql).
create table installation_move (
  one       boolean primary key default true check (one),
  -- A copy is resumed only under the id that it was begun with: writes may have happened between two moves.
  id        uuid not null,
  state     text not null check (state in ('stopped', 'moved', 'reopening')),
  -- The target, without a password.
  target    text not null,
  begun_at  timestamptz not null default now(),
  begun_by  text not null
);
