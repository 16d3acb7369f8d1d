-- compatible with 0063

-- The same lists, in functions (is_account_kind, is_transfer_kind): a list inside of a CHECK is read anew by each statement. Accounts
-- first, as every posting uses them first.
alter table account drop constraint account_kind_check;
alter table account add constraint account_kind_check check (is_account_kind(kind)) not valid;
alter table transfer drop constraint transfer_kind_check;
alter table transfer add constraint transfer_kind_check check (is_transfer_kind(kind)) not valid;
