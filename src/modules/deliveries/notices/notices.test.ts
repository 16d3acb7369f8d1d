import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPin } from '../../../../web/member/register/pin.ts'
import { CONTACT_CHARACTERS, checkText, REGISTER_URL_CHARACTERS } from '../messages/check.ts'
import { formatNoticeKey, parseKey, parseNoticeKey } from '../rules.ts'
import { renderNotice } from './render.ts'
import { NOTICE_TEMPLATES } from './templates.ts'
import type { NoticeFacts, NoticePurpose } from './types.ts'

const CODE = '01234567u89abcdefu01234567u89abcdef'
const KINDS = (Object.keys(NOTICE_TEMPLATES) as NoticePurpose[]).flatMap((purpose) =>
  (['ko', 'en'] as const).map((language) => ({ purpose, language })),
)

// Of partners: nobody's browser acted, and there is no page to go to.
const isOfPartner = (purpose: NoticePurpose) => purpose === 'credit_80' || purpose === 'credit_95'
const OF_PARTNER = { partner: 'hanbit-pay', owed: '80000000', limit: '100000000' }

function factsOf(kind: Pick<NoticeFacts, 'purpose' | 'language'>): NoticeFacts {
  const told = ['withdrawal', 'payout_account', 'stopped'].includes(kind.purpose)
  return {
    ...kind,
    at: Temporal.Instant.from('2026-11-16T15:04:05Z'),
    values: {
      ...(isOfPartner(kind.purpose) ? OF_PARTNER : { device: 'Samsung Internet · Android' }),
      ...(told ? { amount: '1000000000', bank: 'iM뱅크(대구)', account: `${'·'.repeat(20)}6789` } : {}),
      ...(told && kind.purpose !== 'stopped' ? { stopCode: CODE, waitsUntil: '2026-11-17T15:04:05Z' } : {}),
      ...(kind.purpose === 'phone' ? { newNumber: '010-****-5678' } : {}),
    },
    pagesUrl: `https://${'a'.repeat(REGISTER_URL_CHARACTERS - 9)}/`,
    contact: '가'.repeat(CONTACT_CHARACTERS),
  }
}

for (const kind of KINDS) {
  test(`${kind.purpose} in ${kind.language}: can be sent, says who, what, when and what to do`, () => {
    const facts = factsOf(kind)
    const { subject, text } = renderNotice(facts)
    assert.equal(checkText({ subject, text }), undefined)
    assert.match(text, /^\[Ingot\] /)
    assert.match(text, kind.language === 'ko' ? /2026년 11월 17일 00:04/ : /2026-11-17 00:04 \(Seoul\)/)
    const who = isOfPartner(kind.purpose)
      ? ['hanbit-pay', '80,000,000', '100,000,000']
      : ['Samsung Internet · Android']
    for (const part of [facts.contact, ...who]) assert.ok(text.includes(part), part)
    assert.equal(findPin(text), undefined, 'nothing in it reads like a PIN')
    assert.doesNotMatch(text, /₩|#\{|undefined/)
    const stops = kind.purpose === 'withdrawal' || kind.purpose === 'payout_account'
    assert.equal(text.includes(`/stop#${CODE}\n`), stops)
    assert.equal(
      text.includes('/recover\n'),
      !stops && kind.purpose !== 'phone' && !isOfPartner(kind.purpose),
    )
  })
}

test("a notice's key is told from a card's", () => {
  const id = '0198f6a2-9b1c-7cc0-8000-000000000000'
  assert.equal(parseNoticeKey(formatNoticeKey(id)), id)
  assert.equal(parseKey(formatNoticeKey(id)), undefined)
  for (const text of ['', id, `${id}.text.gift.0`, `${id}.text.notice.1`, `x.text.notice.0`])
    assert.equal(parseNoticeKey(text), undefined)
})
