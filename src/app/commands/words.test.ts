import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgreementRefusal } from '#flows/partners/check-partner-terms.ts'
import { keyWords } from './api-key.ts'
import { payloadText } from './approval.ts'
import { decisionWords } from './approval-words.ts'
import { clockWords } from './installation.ts'
import { memberWords } from './member-words.ts'
import { partnerWords, paymentWords } from './partner-words.ts'
import { priceWords } from './price-words.ts'
import { templateWords } from './template.ts'
import { grantWords, noUser, redeemWords, userStatusWords } from './user-words.ts'
import { rotationWords } from './vault-keys.ts'

// What scripts and people have read since the first release, byte for byte. That every reason has words is for the compiler.
const kind = 'refused'
const acme = { kind, partner: 'acme' } as const
const KEYS = { encryption: 'e2', index: 'i2' }
const OLD = { encryption: 'e1', index: 'i1' }

const POLICY = {
  ...{ version: 'kr-2027', effectiveFrom: '2027-06-01', until: '', cancelDays: 7, refundYears: 5 },
  ...{ smallUpTo: '50000', smallPercent: 90, largePercent: 95, pointsPercent: 100 },
  ...{ extensionMonths: 12, noticeDays: '30,14,7' },
}
const POLICY_TERMS =
  'cancel 7 d; refund 5 y; money 90% up to ₩50,000, 95% above; points 100%; extension 12 months; reminders 30 14 7'

const SAID: readonly [said: string, words: string][] = [
  [partnerWords({ ...acme, reason: 'partner_not_found' }), 'there is no partner acme'],
  [partnerWords({ ...acme, reason: 'partner_exists' }), 'there is a partner acme already'],
  [
    partnerWords({ kind, reason: 'code_invalid' }),
    'a partner code has 1 to 64 letters, digits, dots, hyphens or underscores',
  ],
  [
    partnerWords({ ...acme, reason: 'limit_below_owed', owed: 12_000n }),
    'acme owes ₩12,000 already: the limit cannot be below that. To stop its purchases now, set its status to suspended',
  ],
  [
    decisionWords({ kind, reason: 'credit_limit_changed' }),
    'the credit limit has changed since it was asked for: ask again',
  ],
  [keyWords({ ...acme, reason: 'partner_not_found' }), 'there is no partner acme'],
  [
    keyWords({ kind, reason: 'scope_unknown' }),
    'scopes are among giftcards:buy, giftcards:read, usage:read, users:write, users:read',
  ],
  [keyWords({ kind, reason: 'network_invalid' }), 'networks are addresses or CIDR blocks'],
  [keyWords({ kind, reason: 'label_too_long' }), 'a label has at most 100 characters'],
  [
    keyWords({ kind, reason: 'expiry_out_of_bounds', mostDays: 3_650 }),
    'a key expires after 1 to 3650 days, or never',
  ],
  [keyWords({ kind, reason: 'key_not_found' }), 'there is no such key'],
  [paymentWords({ kind, reason: 'reference_invalid' }), 'a reference is one line of 1 to 100 characters'],
  [
    paymentWords({ ...acme, reason: 'payment_not_found', reference: 'R' }),
    'acme has no payment with the reference R',
  ],
  [
    paymentWords({ ...acme, reason: 'payment_spent', owedWithout: 6_300n, creditLimit: 1_000n }),
    'acme has bought cards on this payment: without it acme owes ₩6,300, above its limit of ₩1,000. Suspend it, raise the limit to that, reverse, and lower the limit later',
  ],
  [decisionWords({ kind, reason: 'already_booked', reference: 'R' }), 'R is booked already'],
  [
    payloadText({ kind: 'refund_policy', payload: POLICY }),
    `a refund policy for cards bought from 2027-06-01 on (${POLICY_TERMS})`,
  ],
  [
    payloadText({ kind: 'refund_policy', payload: { ...POLICY, until: '2027-12-31' } }),
    `a refund policy for cards bought from 2027-06-01 to 2027-12-31 (${POLICY_TERMS})`,
  ],
  [
    decisionWords({ kind, reason: 'payment_changed' }),
    'the payment is not what it was when its reversal was asked for',
  ],
  [decisionWords({ kind, reason: 'not_found' }), 'there is no such request'],
  [decisionWords({ kind, reason: 'executed' }), 'it is approved already'],
  [decisionWords({ kind, reason: 'refused' }), 'it was refused'],
  [decisionWords({ kind, reason: 'expired' }), 'nobody approved it in time: ask again'],
  [
    decisionWords({ kind, reason: 'unknown_person' }),
    'the machine does not say who you are: use an account with a name',
  ],
  [decisionWords({ kind, reason: 'same_person' }), 'another person has to approve what you asked for'],
  [
    decisionWords({ kind, reason: 'same_login' }),
    'the machine says that it was you who asked, by log-in, sudo, account or terminal: another person has to approve it, logged in as themselves',
  ],
  [
    priceWords({ kind, reason: 'term_out_of_bounds', term: 'spreadBps', least: 0, most: 5_000 }),
    'the spread is between 0 and 5000',
  ],
  [
    priceWords({ kind, reason: 'term_out_of_bounds', term: 'feeBps', least: 0, most: 5_000 }),
    'the fee is between 0 and 5000',
  ],
  [
    priceWords({ kind, reason: 'term_out_of_bounds', term: 'maxAgeSeconds', least: 30, most: 86_400 }),
    'the age is between 30 and 86400',
  ],
  [
    decisionWords({ kind, reason: 'terms_changed' }),
    'the terms have changed since it was asked for: ask again',
  ],
  [priceWords({ kind, reason: 'price_out_of_bounds' }), 'a price is between 1 and 100,000,000 won'],
  [
    decisionWords({ kind, reason: 'price_beyond_hand' }),
    'a price by hand is at most 50% from what the feed said last, within a day, or from the last price',
  ],
  [
    priceWords({ kind, reason: 'price_jump', last: 200_000n }),
    'that is far from the last price, ₩200,000: if it is right all the same, say --force',
  ],
  [
    decisionWords({ kind, reason: 'price_moved', last: 212_000n }),
    'the price has moved to ₩212,000 since it was asked for: ask again',
  ],
  [
    decisionWords({ kind, reason: 'price_of_this_moment' }),
    'there is a price of this very moment: approve it again',
  ],
  [noUser({ ...acme, reason: 'partner_not_found' }), 'there is no partner acme'],
  [noUser({ ...acme, reason: 'user_not_found' }), 'acme has no user with that key'],
  [
    userStatusWords({ kind, reason: 'link_refused' }),
    'the member has refused this link, and only the member can take that back',
  ],
  [
    userStatusWords({ kind, reason: 'member_frozen' }),
    'the member is frozen: `member thaw` opens the link with the rest',
  ],
  [
    userStatusWords({ kind, reason: 'already_in_status', status: 'suspended' }),
    'the user is suspended already',
  ],
  [grantWords({ kind, reason: 'sandbox_only' }), 'assets can be granted in a sandbox only'],
  [
    grantWords({ kind, reason: 'amount_out_of_bounds', most: 1_000_000_000_000n }),
    'at most 1000000000000 of an asset at a time',
  ],
  [grantWords({ kind, reason: 'nothing_to_grant' }), 'nothing to grant'],
  [
    redeemWords({ kind, reason: 'sandbox_only' }, ''),
    'cards are registered by their holders; only a sandbox has this command',
  ],
  [redeemWords({ kind, reason: 'pin_invalid' }, ''), 'that is no PIN: one of its characters is wrong'],
  [redeemWords({ kind, reason: 'user_not_active', status: 'frozen' }, ''), 'the user is frozen'],
  [
    redeemWords({ kind, reason: 'under_14' }, '1544-0000'),
    'the user is under 14 and cannot register cards yet. Contact: 1544-0000',
  ],
  [redeemWords({ kind, reason: 'absent' }, ''), 'there is no card with that PIN'],
  [redeemWords({ kind, reason: 'used' }, ''), 'somebody else has used that card'],
  [redeemWords({ kind, reason: 'voided' }, ''), 'that card was taken back'],
  [redeemWords({ kind, reason: 'expired' }, ''), 'that card has expired'],
  [memberWords({ kind, reason: 'member_not_found', member: 'kim' }), 'there is no member with the id kim'],
  [memberWords({ kind, reason: 'already_frozen' }), 'the member is frozen already'],
  [memberWords({ kind, reason: 'not_frozen' }), 'the member is not frozen'],
  [memberWords({ kind, reason: 'account_closed' }), 'the account is closed: nobody is signed in'],
  [memberWords({ ...acme, reason: 'partner_not_found' }), 'there is no partner acme'],
  [
    templateWords({ kind, reason: 'template_id_invalid' }),
    'a template id has 1 to 100 letters, digits, dots, colons, hyphens or underscores',
  ],
  [
    templateWords({
      kind,
      reason: 'template_id_taken',
      templateId: 'T1',
      other: { purpose: 'gift', language: 'ko', version: 1 },
    }),
    'T1 is the id of gift ko version 1: each text is registered on its own',
  ],
  [templateWords({ ...acme, reason: 'partner_not_found' }), 'there is no partner acme'],
  [clockWords({ kind, reason: 'not_forward' }), 'the clock only goes forward'],
  [
    clockWords({ kind, reason: 'too_far', year: 2100 }),
    'the clock cannot be set to 2100 or later: it never goes back',
  ],
  [clockWords({ kind, reason: 'sandbox_only' }), 'the clock can be advanced in a sandbox only'],
  [rotationWords({ kind, reason: 'rotation_running' }), 'another process is rotating the keys'],
  [rotationWords({ kind, reason: 'rotation_begun' }), 'another process has begun a rotation'],
  [rotationWords({ kind, reason: 'rotation_taken_over' }), 'this rotation was taken over by another process'],
  [
    rotationWords({ kind, reason: 'ring_of_another_rotation', ring: OLD, underWay: KEYS }),
    'a rotation to e2 and i2 is under way, but this ring is at e1 and i1: go on with the ring it was begun with',
  ],
  [
    rotationWords({ kind, reason: 'ring_outdated', ring: OLD, inForce: KEYS }),
    'this ring is at e1 and i1, which are older than what is in force (e2 and i2): make the newest keys of the ring its current ones',
  ],
  [
    rotationWords({ kind, reason: 'ring_not_writable', file: 'ring.json', code: 'EACCES' }),
    'ring.json cannot be replaced (EACCES): no key was changed',
  ],
  [
    rotationWords({ kind, reason: 'keys_not_held', processes: 2 }),
    '2 serving process(es) do not hold the new keys. Bring the key ring to their machines and start again: nothing was changed but the ring',
  ],
]
for (const [said, words] of SAID) test(words, () => assert.equal(said, words))

const payment = { ...acme, owed: -5n, reference: 'R' }
for (const [reason, words] of [
  ['amount_out_of_bounds', 'a payment is between 1 and 10^15 won'],
  ['reference_reversed', 'R was booked and reversed: give the right one another reference'],
  ['reference_booked', 'R is booked with another amount: see ingot partner payments acme'],
  ['reference_waits', 'R waits with another amount: see ingot partner pending, and refuse that one first'],
  ['more_than_owed', 'acme owes ₩0: to book more than that as prepaid, say --prepay'],
  ['too_much_prepaid', 'nobody prepays more than 10^15 won'],
] as const) {
  test(`payment: ${words}`, () => {
    assert.equal(paymentWords({ ...payment, reason }), words)
    assert.equal(decisionWords({ ...payment, reason }), words)
  })
}

const AGREEMENT: Record<AgreementRefusal, string> = {
  name_length: 'the name has 1 to 200 characters',
  name_unreadable:
    'the name is one line that can be read, without a web address (words that only a full stop joins count as one)',
  status_unknown: 'the status is one of active, suspended',
  key_format_unknown: 'the key format is one of uuid, custom',
  key_pattern_missing: 'a custom key format needs a key pattern',
  key_pattern_unused: 'a key pattern goes with the custom key format',
  key_pattern_invalid:
    'the key pattern is a regular expression (RE2 syntax) of at most 200 characters, without counts in the hundreds',
  amount_min_too_small: 'the smallest amount is at least 1 won',
  amount_max_below_min: 'the largest amount is not below the smallest',
  amount_max_too_large: 'the largest amount is too large',
  validity_too_short: 'cards are valid for at least 12 months',
  validity_too_long: 'cards are valid for at most 120 months',
  credit_limit_out_of_bounds: 'the credit limit is between 0 and 10^15 won',
  rate_limit_out_of_bounds: 'the rate limit is between 0 (none) and 1,000,000',
  network_invalid: 'networks are addresses or CIDR blocks',
  too_many_networks: 'at most 100 networks',
  frame_ancestor_invalid:
    'frame ancestors are origins such as https://shop.example or https://*.shop.example; plain http only for this machine',
  too_many_frame_ancestors: 'at most 20 frame ancestors',
  message_language_unknown: 'the message language is one of ko, en',
  sender_name_invalid:
    'the sender name is one line of at most 40 bytes (20 Korean letters) that text messages can carry, without a web address (words that only a full stop joins count as one)',
}
test('terms of a partner', () => {
  const reasons = Object.keys(AGREEMENT) as AgreementRefusal[]
  const said = reasons.map((reason) => [reason, partnerWords({ kind, reason })])
  assert.deepEqual(Object.fromEntries(said), AGREEMENT)
})
