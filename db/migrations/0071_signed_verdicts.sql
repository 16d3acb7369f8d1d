-- compatible with 0063

-- What the last run of `verify` found, signed with the key ring. Otherwise whoever can write this row could say that all is well. The
-- runner signs what it finds here, once: releases before this one signed nothing, or the checkpoint only.
alter table verification add column signature text;
