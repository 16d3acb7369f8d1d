// Rights that somebody gives away by SQL, as in planted-thefts.ts. There is a partner with a key, one with a key that was revoked, and a payment
// of 500 won that two people booked. Of the staff, a viewer is signed in, finance signed out, support was suspended, and an admin signed in
// twice in one browser, by single sign-on.
const STAFF = `(select id from staff order by created_at limit 1)`
const OF = `where staff_id = (select id from staff where role =`
const STRANGER = `'00000000-0000-7000-8000-00000000000c'::uuid`
const ASKED = `payload = replace(payload, '500', '900'), payload_hash = sha256(convert_to(replace(payload, '500', '900'), 'UTF8')),
               executed_hash = sha256(convert_to(replace(payload, '500', '900'), 'UTF8'))`

export const RIGHTS_THEFTS: [check: string, what: string, mistake: string][] = [
  [
    'partner_terms_are_as_they_were_set',
    'more credit',
    `update account set floor = -9000000 where partner_id is not null`,
  ],
  ['partner_terms_are_as_they_were_set', 'a suspended partner', `update partner set status = 'suspended'`],
  ['partner_terms_are_as_they_were_set', 'larger cards', `update partner set amount_max = amount_max * 10`],
  [
    'partner_terms_are_as_they_were_set',
    'a validity that nobody set, for cards of before',
    `insert into partner_validity (partner_id, months, since) select id, 120, '-infinity' from partner`,
  ],
  [
    'api_key_is_as_it_was_issued',
    'a key that nobody issued',
    `insert into api_key (id, partner_id, secret_hash, scopes) select 'AAAAAAAAAAAA', partner_id, sha256('mine'), scopes from api_key limit 1`,
  ],
  [
    'api_key_is_as_it_was_issued',
    'a key exchanged for another',
    `update api_key set secret_hash = sha256(secret_hash)`,
  ],
  [
    'partner_terms_are_as_they_were_set',
    'a partner that nobody added',
    `insert into partner (code, name, key_format) values ('mine', 'Mine', 'uuid')`,
  ],
  [
    'partner_terms_are_as_they_were_set',
    'calls without a key from everywhere',
    `update partner set networks = '{0.0.0.0/0}'`,
  ],
  [
    'partner_terms_are_as_they_were_set',
    'pages of strangers around the web view',
    `update partner set frame_ancestors = '{https://mine.example}'`,
  ],
  [
    'api_key_is_as_it_was_issued',
    'a key for every network in place of one',
    `update api_key set networks = '{0.0.0.0/0}' where cardinality(networks) > 0`,
  ],
  [
    'api_key_is_as_it_was_issued',
    'a key that lives longer, with a later beginning',
    `update api_key set created_at = created_at + interval '10 years', expires_at = expires_at + interval '10 years'`,
  ],
  [
    'api_key_is_as_it_was_issued',
    'a revoked key that ends in many years',
    `update api_key set revoked_at = '2100-01-01' where revoked_at is not null`,
  ],
  [
    'api_key_is_as_it_was_issued',
    'a revoked key that no longer ends',
    `update api_key set revoked_at = null where revoked_at is not null`,
  ],
  ['api_key_is_as_it_was_issued', 'fewer scopes', `update api_key set scopes = '{giftcards:buy}'`],
  [
    'staff_is_as_it_was_set',
    'an admin of one’s own',
    `insert into staff (id, email, name, role, created_at) values (${STRANGER}, 'x@y.example', 'x', 'admin', now())`,
  ],
  [
    'staff_is_as_it_was_set',
    'the address of another, who signs in with it',
    `update staff set email = 'mine@ingot.test' where role = 'viewer'`,
  ],
  ['staff_is_as_it_was_set', 'a viewer made admin', `update staff set role = 'admin'`],
  ['staff_is_as_it_was_set', 'a state that nobody set', `update staff set status = 'suspended'`],
  [
    'staff_came_in_by_an_act',
    'a session that nobody opened',
    `insert into staff_session (hash, id, staff_id, created_at, seen_at, proven_at, device_label)
     values (sha256('mine'), ${STRANGER}, ${STAFF}, now(), now(), now(), '')`,
  ],
  [
    'staff_came_in_by_an_act',
    'a session that another cookie opens',
    `update staff_session set hash = sha256(hash)`,
  ],
  [
    'staff_came_in_by_an_act',
    'a session that is open again after its sign-out',
    `update staff_session set ended_at = null ${OF} 'finance')`,
  ],
  [
    'staff_came_in_by_an_act',
    'a session that is open again after its person was suspended',
    `update staff_session set ended_at = null ${OF} 'support')`,
  ],
  [
    'staff_came_in_by_an_act',
    'a session that is open again after another took its place',
    `update staff_session set ended_at = null ${OF} 'admin') and ended_at is not null`,
  ],
  [
    'staff_came_in_by_an_act',
    'a proof that nobody gave',
    `update staff_session set proven_at = proven_at + interval '1 day'`,
  ],
  [
    'staff_came_in_by_an_act',
    'a session that lasts longer',
    `update staff_session set created_at = created_at + interval '7 hours'`,
  ],
  [
    'staff_came_in_by_an_act',
    'a single sign-on of a stranger',
    `update staff set oidc_issuer = 'https://sign-on.example', oidc_subject = 'mine' where role = 'viewer'`,
  ],
  [
    'staff_came_in_by_an_act',
    'a single sign-on that was given to another',
    `update staff set oidc_subject = 'mine' where oidc_subject is not null`,
  ],
  [
    'staff_came_in_by_an_act',
    'a passkey that nobody added',
    `insert into staff_passkey (id, staff_id, credential_id, public_key, counter, transports, backup_eligible, backed_up, name, created_at)
     values (${STRANGER}, ${STAFF}, '\\x01', '\\x01', 0, '{}', false, false, '\\x01', now())`,
  ],
  [
    'staff_came_in_by_an_act',
    'a link for another person',
    `update staff_link set used_at = now(); insert into staff_link (id, hash, staff_id, created_at, expires_at)
     values (${STRANGER}, sha256('mine'), ${STAFF}, now() + interval '1 minute', now() + interval '1 day')`,
  ],
  [
    'staff_came_in_by_an_act',
    'an account bound to another person',
    `insert into staff_account (account, staff_id, bound_at, bound_by) values ('cli:me', ${STAFF}, now(), 'cli:me')`,
  ],
  [
    'request_was_asked_for_and_agreed',
    'a request rewritten after its approval',
    `update change_request set ${ASKED}`,
  ],
  ['request_was_asked_for_and_agreed', 'another maker', `update change_request set maker = 'third'`],
  ['request_was_asked_for_and_agreed', 'another approver', `update change_request set checker = 'third'`],
  [
    'two_people_count_since_their_release',
    'two people only from tomorrow on',
    `update installation set two_people_since = now() + interval '1 day'`,
  ],
  [
    'two_people_count_since_their_release',
    'two people only from now on, and their release later',
    `update installation set two_people_since = service_now();
     update schema_migration set applied_at = now() where name ~ '_two_people$'`,
  ],
  [
    'two_people_count_since_their_release',
    'two people for rates only from now on, and their release later',
    `update installation set rates_agreed_since = service_now();
     update schema_migration set applied_at = now() where name ~ '_rate_requests$'`,
  ],
  [
    'two_people_count_since_their_release',
    'two people only after a request of two',
    `delete from audit_entry where action = 'books.seal';
     update audit_entry set at = at - interval '3 days' where action = 'change.approve';
     update installation set two_people_since = service_now() - interval '1 day'`,
  ],
  [
    'billing_is_as_it_was_set',
    'the company of another on a statement',
    `insert into partner_legal (partner_id, legal_name) select id, 'mine' from partner`,
  ],
  [
    'books_were_closed_by_an_act',
    'a day that nobody closed',
    `insert into closed_day (day, through_id, reads_from, movements, corrections, closed_at, closed_by, hash)
     values (current_date, 0, 1, 0, 0, now(), 'x', sha256('x'))`,
  ],
]
