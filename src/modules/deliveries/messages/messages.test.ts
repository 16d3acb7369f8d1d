import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { codePoint } from '#test/code-point.ts'
import { eucKrBytes, eucKrWidth } from './bytes.ts'
import {
  ALIMTALK_CHARACTERS,
  CONTACT_CHARACTERS,
  checkAlimtalk,
  checkText,
  REGISTER_URL_CHARACTERS,
  SUBJECT_BYTES,
  TEXT_BYTES,
} from './check.ts'
import { ERASED_PIN, renderAlimtalk, renderText } from './render.ts'
import { isSenderName, SENDER_NAME_BYTES, senderNameFrom } from './sender-name.ts'
import { TEMPLATES, templateOf } from './templates.ts'
import { MESSAGE_LANGUAGES, type MessageFacts } from './types.ts'

const POLICY = {
  cancelDays: 7,
  refundYears: 5,
  smallUpTo: 50_000n,
  smallPercent: 90,
  largePercent: 95,
  pointsPercent: 100,
}
const FACTS: Omit<MessageFacts, 'purpose' | 'language' | 'version'> = {
  senderName: '한빛페이',
  pin: 'ABCD1234EFGH567X',
  amount: 30_000n,
  issuedOn: '2026-03-09',
  expiresOn: '2027-03-09',
  registerUrl: 'https://ingot.example/card',
  linkUrl: `https://ingot.example/card#${'a'.repeat(37)}`,
  contact: 'help@ingot.example',
  policy: POLICY,
}
const KINDS = TEMPLATES.map(({ purpose, language, version }) => ({ purpose, language, version }))

const CARD = { ko: ['30,000원', '2027년 3월 9일'], en: ['KRW 30,000', '9 March 2027'] }
// Promised by the first version, and carried out by nobody.
const REFUND = {
  ko: ['5년 안에', '50,000원 이하는 90%', '초과는 95%', '100%'],
  en: ['5 years', '90% up to KRW 50,000', '95% above', '100%'],
}
const ASK = {
  ko: '환불이 필요하면 아래 문의처로 알려 주세요. 담당자가 확인하고 처리해요',
  en: 'If it has expired or you need a refund, ask the contact below: our staff handle it',
}
// Only while it can still be done.
const CANCELLING = { ko: '7일 안에', en: '7 days' }
const REASON = {
  gift: { ko: '상품권 구매가 완료되어', en: 'You receive this message because 한빛페이 has bought it' },
  reminder: {
    ko: '아직 등록되지 않았고, 2027년 3월 9일이 지나면 만료',
    en: 'is not registered yet and expires after',
  },
  cancellation: {
    ko: '상품권이 취소되어 더 이상 등록할 수 없어요',
    en: 'was cancelled and can no longer be registered',
  },
}

for (const kind of KINDS) {
  const { purpose, language, version } = kind
  const name = `${purpose} in ${language}, version ${version}`
  const template = templateOf(purpose, language, version)
  const isCard = purpose !== 'cancellation'

  test(`${name}: both messages say everything, and can be sent`, () => {
    const facts = { ...FACTS, ...kind }
    const alimtalk = renderAlimtalk(facts)
    const text = renderText(facts)
    const promised = version === 1 ? REFUND[language] : []
    const always = [...CARD[language], '한빛페이', FACTS.contact, REASON[purpose][language], ...promised]
    const address = version === 1 ? `${FACTS.registerUrl}\n` : `${FACTS.linkUrl}\n`
    const ofCard = ['ABCD-1234-EFGH-567X', address, ...(version === 1 ? [] : [ASK[language]])]
    for (const said of [alimtalk.text, text.text]) {
      for (const part of always) assert.ok(said.includes(part), part)
      for (const part of ofCard) assert.equal(said.includes(part), isCard, part)
      assert.equal(said.includes(CANCELLING[language]), purpose === 'gift')
      if (version > 1) assert.doesNotMatch(said, /\d%|환불받|5년|5 years/)
    }
    assert.equal(checkAlimtalk(template, alimtalk), undefined)
    assert.equal(checkText(text), undefined)
    assert.doesNotMatch(alimtalk.text + text.text, /₩|앱|설치|\bapp\b|install|#\{/)
  })

  test(`${name}: an erased PIN is said to be erased`, () => {
    const facts = { ...FACTS, ...kind, pin: null }
    assert.equal(renderAlimtalk(facts).text.includes(ERASED_PIN[language]), isCard)
    assert.equal(renderText(facts).text.includes(ERASED_PIN[language]), isCard)
  })

  test(`${name}: our own words can be encoded`, () => {
    const ours = template.text.replace(/#\{[^}]*\}/g, '') + ERASED_PIN[language]
    assert.deepEqual(
      [...ours].filter((character) => eucKrWidth(character) === undefined),
      [],
    )
  })

  test(`${name}: what is longest everywhere still fits`, () => {
    for (const senderName of ['가'.repeat(SENDER_NAME_BYTES / 2), 'W'.repeat(SENDER_NAME_BYTES)]) {
      const facts: MessageFacts = {
        ...kind,
        senderName,
        pin: FACTS.pin,
        amount: 10n ** 15n,
        issuedOn: '2026-09-30',
        expiresOn: '2027-09-30',
        registerUrl: `https://${'a'.repeat(REGISTER_URL_CHARACTERS - 8)}`,
        linkUrl: `https://${'a'.repeat(REGISTER_URL_CHARACTERS - 8)}#${'a'.repeat(37)}`,
        contact: '가'.repeat(CONTACT_CHARACTERS),
        policy: { ...POLICY, cancelDays: 365, refundYears: 10, smallUpTo: 1_000_000n, smallPercent: 100 },
      }
      const alimtalk = renderAlimtalk(facts)
      assert.ok(alimtalk.text.length <= ALIMTALK_CHARACTERS, `${alimtalk.text.length} characters`)
      assert.equal(checkAlimtalk(template, alimtalk), undefined)
      assert.equal(checkText(renderText(facts)), undefined)
    }
  })
}

test('templates: told apart by name, each with exactly the variables in its text', () => {
  assert.equal(new Set(TEMPLATES.map((template) => template.name)).size, TEMPLATES.length)
  for (const { text, variables, ...kind } of TEMPLATES) {
    const named = new Set([...text.matchAll(/#\{([^}]*)\}/g)].map((match) => match[1]!))
    assert.deepEqual([...variables].sort(), [...named].sort())
    const { variables: given } = renderAlimtalk({ ...FACTS, ...kind })
    assert.deepEqual(Object.keys(given).sort(), [...named].sort())
  }
})

// What operators have registered with Kakao, word for word.
const RELEASED = {
  card_gift_ko: 'c906b558564b5b16',
  card_gift_en: '1b1b21aac8202766',
  card_reminder_ko: '07efb8c7541c705c',
  card_reminder_en: '2213ad05dfa2dda3',
}
test('a released version never changes', () => {
  const hashes = TEMPLATES.filter(({ version }) => version === 1).map(({ name, text }) => [
    name,
    createHash('sha256').update(text).digest('hex').slice(0, 16),
  ])
  assert.deepEqual(Object.fromEntries(hashes), RELEASED)
})

test('of a text, the version asked for, or the newest', () => {
  const newest = Math.max(...TEMPLATES.map(({ version }) => version))
  assert.deepEqual(
    [1, 2, 99, null, undefined].map((version) => templateOf('gift', 'ko', version).version),
    [1, 2, newest, newest, newest],
  )
})

test('bytes: one for ASCII, two for the rest, none for what cannot be encoded', () => {
  const cases: [text: string, bytes: number | undefined][] = [
    ['', 0],
    ['abc\n', 4],
    ['가나다', 6],
    ['금·은 1', 8],
    ['뷁', undefined],
    ['￦', 2],
    ['₩', undefined],
    ['😀', undefined],
    ['é', undefined],
    ['\ud800', undefined],
    ['\ufffd', undefined],
    ['\u1112\u1161', undefined],
  ]
  for (const [text, bytes] of cases) assert.equal(eucKrBytes(text), bytes, JSON.stringify(text))
})

test('bytes: the syllables of KS X 1001', () => {
  const syllables = Array.from({ length: 0xd7a4 - 0xac00 }, (_, i) => String.fromCharCode(0xac00 + i))
  assert.equal(syllables.filter((syllable) => eucKrWidth(syllable) === 2).length, 2_350)
})

test('what is wrong with a message is said', () => {
  const kind = { purpose: 'gift', language: 'ko', version: 2 } as const
  const template = templateOf('gift', 'ko')
  const good = renderAlimtalk({ ...FACTS, ...kind })
  const { 금액: _amount, ...fewer } = good.variables
  const long = renderAlimtalk({ ...FACTS, ...kind, contact: 'x'.repeat(ALIMTALK_CHARACTERS) })
  const planted = renderAlimtalk({ ...FACTS, ...kind, senderName: '#{PIN번호}' })
  assert.equal(checkAlimtalk(template, { ...good, variables: fewer }), 'variables_differ')
  assert.equal(
    checkAlimtalk(template, { ...good, variables: { ...good.variables, 더: '1' } }),
    'variables_differ',
  )
  assert.equal(checkAlimtalk(template, { ...good, text: `${good.text}!` }), 'variables_differ')
  assert.equal(checkAlimtalk(templateOf('gift', 'en'), good), 'variables_differ')
  assert.equal(
    checkAlimtalk(template, renderAlimtalk({ ...FACTS, ...kind, contact: '' })),
    'variables_differ',
  )
  assert.equal(checkAlimtalk(template, planted), 'variables_differ')
  assert.ok(
    planted.text.startsWith('[금·은 상품권이 도착했어요]\n\n#{PIN번호}에서'),
    'and it is not filled in',
  )
  assert.equal(checkAlimtalk(template, long), 'too_long')

  assert.equal(
    checkText({ subject: 'a'.repeat(SUBJECT_BYTES), text: '가'.repeat(TEXT_BYTES / 2) }),
    undefined,
  )
  assert.equal(checkText({ subject: '가'.repeat(SUBJECT_BYTES / 2 + 1), text: 'a' }), 'too_long')
  assert.equal(checkText({ subject: 'a', text: `${'가'.repeat(TEXT_BYTES / 2)}a` }), 'too_long')
  assert.equal(checkText({ subject: 'a', text: '₩1' }), 'unencodable')
  assert.equal(checkText({ subject: '😀', text: 'a' }), 'unencodable')
})

const NAMES: [name: string, ok: boolean][] = [
  ['한빛페이', true],
  ['A', true],
  ['가'.repeat(20), true],
  ['가'.repeat(21), false],
  [`${'가'.repeat(20)}a`, false],
  ['', false],
  ['  ', false],
  ['한빛\n페이', false],
  ['한빛\x7f', false],
  ['한빛\u2028', false],
  ['한빛 ₩', false],
  ['#{금액}', false],
  ['# {', true],
]
for (const [name, ok] of NAMES) {
  test(`sender name ${JSON.stringify(name)}: ${ok ? 'taken' : 'refused'}`, () =>
    assert.equal(isSenderName(name), ok))
}

test("a sender's name is made from the partner's", () => {
  assert.equal(senderNameFrom('한빛페이', 'ko'), '한빛페이')
  assert.equal(senderNameFrom('한빛페이'.normalize('NFD'), 'ko'), '한빛페이')
  assert.equal(senderNameFrom('🎁 한빛\n페이 ', 'ko'), '한빛 페이')
  assert.equal(senderNameFrom(`a${'가'.repeat(30)}`, 'ko'), `a${'가'.repeat(19)}`)
  assert.equal(senderNameFrom('##{{x}', 'ko'), '{{x}')
  assert.equal(senderNameFrom('🎁₩', 'ko'), '제휴사')
  assert.equal(senderNameFrom('', 'en'), 'A partner of ours')
})

const anyText = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom('#', '{', '}', ' ', '\n', '가', 'a', '₩', '😀', '\u1112'),
    maxLength: 200,
  }),
)

test('whatever a partner is called, it has a name that can be sent', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom(...MESSAGE_LANGUAGES), (name, language) => {
      const sender = senderNameFrom(name, language)
      assert.ok(isSenderName(sender))
      assert.equal(senderNameFrom(sender, language), sender)
      if (isSenderName(name) && name.trim() === name && !/\s\s/.test(name)) assert.equal(sender, name)
    }),
  )
})

test('whatever a card is, its messages can be sent', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...KINDS),
      anyText,
      fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{16}$/),
      fc.bigInt(1n, 10n ** 15n),
      fc.integer({ min: 0, max: 40_000 }),
      (kind, name, pin, amount, days) => {
        const expiresOn = Temporal.PlainDate.from('2026-01-01').add({ days }).toString()
        const senderName = senderNameFrom(name, kind.language)
        const facts = { ...FACTS, ...kind, senderName, pin, amount, expiresOn }
        const alimtalk = renderAlimtalk(facts)
        const text = renderText(facts)
        assert.equal(
          checkAlimtalk(templateOf(kind.purpose, kind.language, kind.version), alimtalk),
          undefined,
        )
        assert.equal(checkText(text), undefined)
        assert.ok(alimtalk.text.endsWith(text.text) && text.text.includes(senderName))
        assert.equal(text.text.replaceAll('-', '').includes(pin), kind.purpose !== 'cancellation')
      },
    ),
  )
})
