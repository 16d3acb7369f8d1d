-- compatible with 0042
-- earlier releases cannot judge: request_is_what_was_carried_out, payout_took_two_people, payment_took_two_people
-- allowed add constraint: change requests are few, and nothing else waits for their table

-- One inbox for all that takes two people. Maker and checker are staff members where the console or a bound account knows them.
alter table change_request
  add column maker_staff uuid, add column checker_staff uuid,
  -- One person was both. Only a sandbox may say so (db/functions/refuse_single_person.sql).
  add column single_person boolean not null default false;
alter table change_request add constraint change_request_maker_staff_fkey foreign key (maker_staff) references staff (id);
alter table change_request add constraint change_request_checker_staff_fkey foreign key (checker_staff) references staff (id);

alter table change_request drop constraint change_request_kind_check;
alter table change_request add constraint change_request_kind_check check
  (kind in ('price', 'terms', 'credit_limit', 'payment', 'payment_reversal', 'adjustment', 'card_void', 'staff_role'));
-- The maker may take a request back, and never approve it.
alter table change_request drop constraint change_request_two_people;
alter table change_request add constraint change_request_two_people check
  (status <> 'executed' or single_person
   or checker <> maker and (checker_staff is null or maker_staff is null or checker_staff <> maker_staff));
alter table change_request add constraint change_request_single_is_executed check (not single_person or status = 'executed');
create trigger change_request_single_person before insert or update on change_request
  for each row when (new.single_person) execute function refuse_single_person();

drop trigger change_request_is_final on change_request;
create trigger change_request_is_final before update on change_request for each row
  when (old.status <> 'waiting'
        or (old.id, old.kind, old.subject, old.payload, old.payload_hash, old.basis, old.maker, old.maker_staff, old.maker_origin, old.reason, old.created_at, old.expires_at)
           is distinct from
           (new.id, new.kind, new.subject, new.payload, new.payload_hash, new.basis, new.maker, new.maker_staff, new.maker_origin, new.reason, new.created_at, new.expires_at))
  execute function refuse_change();
-- allowed create index: change requests are few, and nothing else waits for their table
create index change_request_open on change_request (expires_at) where status = 'waiting';
create index change_request_decided on change_request (decided_at desc) where status <> 'waiting';
create index change_request_of_subject on change_request (subject, created_at desc);

-- A payout: who approves it and who pays it are two people in the same sense.
alter table withdrawal
  add column approved_staff uuid, add column settled_staff uuid, add column single_person boolean not null default false;
alter table withdrawal add constraint withdrawal_approved_staff_fkey foreign key (approved_staff) references staff (id) not valid;
alter table withdrawal add constraint withdrawal_settled_staff_fkey foreign key (settled_staff) references staff (id) not valid;
alter table withdrawal drop constraint withdrawal_paid_by_another;
alter table withdrawal add constraint withdrawal_paid_by_another check
  (status <> 'paid' or settled_by is not null and approved_by is not null
   and (single_person or settled_by <> approved_by
        and (settled_staff is null or approved_staff is null or settled_staff <> approved_staff))) not valid;
create trigger withdrawal_single_person before insert or update on withdrawal
  for each row when (new.single_person) execute function refuse_single_person();

-- What two people add to a holding, or take from it. The other side of it all is one account for each asset: such acts are few.
-- Last, since purchases wait for what is done to these tables.
alter table account drop constraint account_kind_check;
alter table account add constraint account_kind_check check
  (kind in ('partner_receivable', 'outstanding_cards', 'expired_cards', 'holding', 'sandbox_grants',
            'trading', 'withdrawals', 'bank', 'partner_settlement', 'adjustments')) not valid;
insert into account (kind, asset) values ('adjustments', 'KRW_POINT'), ('adjustments', 'KRW');
alter table transfer drop constraint transfer_kind_check;
alter table transfer add constraint transfer_kind_check check
  (kind in ('issue', 'void', 'expire', 'redeem', 'grant', 'buy', 'sell', 'withdraw', 'withdraw_back', 'withdraw_paid',
            'join', 'waive', 'partner_payment', 'partner_payment_back', 'adjust_up', 'adjust_down')) not valid;
