import { assert } from '#base/assert.ts'
import { templateOf, type Variable } from './templates.ts'
import type { AlimtalkMessage, MessageFacts, MessageLanguage, TextMessage } from './types.ts'

// In place of a PIN that is no longer kept.
export const ERASED_PIN = {
  ko: '삭제됨(더 쓸 수 없는 상품권)',
  en: 'erased (the card can no longer be used)',
} as const satisfies Record<MessageLanguage, string>

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

export function renderAlimtalk(facts: MessageFacts): AlimtalkMessage {
  const template = templateOf(facts.purpose, facts.language, facts.version)
  const values = valuesOf(facts)
  const variables = Object.fromEntries(template.variables.map((name) => [name, values[name]]))
  return { text: fill(template.text, variables), variables }
}

export function renderText(facts: MessageFacts): TextMessage {
  const { title, body } = templateOf(facts.purpose, facts.language, facts.version)
  return { subject: title, text: fill(body, valuesOf(facts)) }
}

function valuesOf(facts: MessageFacts): Record<Variable, string> {
  const { language, policy } = facts
  return {
    보낸이: facts.senderName,
    PIN번호: facts.pin === null ? ERASED_PIN[language] : formatPin(facts.pin),
    금액: formatAmount(facts.amount, language),
    구매일: formatDay(facts.issuedOn, language),
    유효기간: formatDay(facts.expiresOn, language),
    등록주소: facts.registerUrl,
    등록링크: facts.linkUrl,
    취소일수: String(policy.cancelDays),
    환불년수: String(policy.refundYears),
    기준금액: formatAmount(policy.smallUpTo, language),
    소액환불률: `${policy.smallPercent}%`,
    고액환불률: `${policy.largePercent}%`,
    포인트환불률: `${policy.pointsPercent}%`,
    문의처: facts.contact,
  }
}

// One pass: what is put in is never read as a placeholder itself.
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/#\{([^}]*)\}/g, (_placeholder, name: string) => {
    const value = values[name]
    assert(value !== undefined, 'a template names only variables that there are')
    return value
  })
}

function formatPin(pin: string): string {
  assert(pin.length === 16, 'a PIN has 16 characters')
  return pin.replace(/.{4}(?=.)/g, '$&-')
}

// Without the won sign, which text messages cannot carry.
export function formatAmount(won: bigint, language: MessageLanguage): string {
  const digits = won.toString().replace(/\B(?=(\d{3})+$)/g, ',')
  return language === 'ko' ? `${digits}원` : `KRW ${digits}`
}

function formatDay(day: string, language: MessageLanguage): string {
  const { year, month, day: ofMonth } = Temporal.PlainDate.from(day)
  return language === 'ko' ? `${year}년 ${month}월 ${ofMonth}일` : `${ofMonth} ${MONTHS[month - 1]} ${year}`
}
