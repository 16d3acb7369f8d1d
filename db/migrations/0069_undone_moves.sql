-- compatible with 0063

-- The undo of a completed move has begun. The state stays `moved` until the undo has ended: nothing may serve before the undo is
-- recorded as a restore, and a release before this one knows only the state.
alter table installation_move add column undo_begun boolean not null default false;
