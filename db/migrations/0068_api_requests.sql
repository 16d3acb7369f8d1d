-- compatible with 0063

-- What was asked of the APIs of partners, members and the console: what changes something, and what was refused or failed. Written
-- behind the answers, forgotten after 30 days, and no part of the books. So nothing refers to it, and it refers to nothing: a
-- foreign key would be a lock on the partner's row for each request.
create table api_request (
  -- As the answer's X-Request-Id has it.
  id           text collate "C" primary key,
  -- When it arrived.
  at           timestamptz not null,
  audience     text not null,
  method       text not null,
  -- The pattern of the path, never the path: that may name a person.
  route        text not null,
  -- 499: the caller hung up.
  status       smallint not null,
  code         text,
  -- The cause, in words of the program: a reason or the names of bad fields.
  reason       text,
  ms           integer not null,
  partner_id   integer,
  key_id       text,
  staff_id     uuid,
  -- Whose session it was.
  member_id    uuid,
  -- What it was about.
  object_kind  text,
  object_id    text collate "C",
  check ((object_kind is null) = (object_id is null))
);
create index api_request_by_time on api_request (at);
create index api_request_of_object on api_request (object_id, at) where object_id is not null;
create index api_request_of_member on api_request (member_id, at) where member_id is not null;
