-- What the machine told of who asked and who approved: compared at the approval, and kept. NULL: nothing was seen but the name.
alter table change_request add column maker_origin jsonb, add column checker_origin jsonb;
alter table withdrawal add column approved_origin jsonb, add column settled_origin jsonb;

drop trigger change_request_is_final on change_request;
create trigger change_request_is_final before update on change_request for each row
  when (old.status <> 'waiting'
        or (old.id, old.kind, old.subject, old.payload, old.payload_hash, old.basis, old.maker, old.maker_origin, old.reason, old.created_at, old.expires_at)
           is distinct from
           (new.id, new.kind, new.subject, new.payload, new.payload_hash, new.basis, new.maker, new.maker_origin, new.reason, new.created_at, new.expires_at))
  execute function refuse_change();
