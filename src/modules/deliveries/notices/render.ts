import { formatAmount } from '#modules/deliveries/messages/render.ts'
import type { MessageLanguage, TextMessage } from '#modules/deliveries/messages/types.ts'
import { NOTICE_LABELS, NOTICE_TEMPLATES } from './templates.ts'
import type { NoticeFacts } from './types.ts'

const SEOUL = 'Asia/Seoul'

// A text of at most 2,000 bytes: the sender, what happened, the facts, and what to do if it was another person.
export function renderNotice(facts: NoticeFacts): TextMessage {
  const { purpose, language, values, pagesUrl, contact } = facts
  const { title, said, advice, page } = NOTICE_TEMPLATES[purpose][language]
  const labels = NOTICE_LABELS[language]
  const lines: [label: string, value: string | undefined][] = [
    [labels.partner, values.partner],
    [labels.owed, values.owed && formatAmount(BigInt(values.owed), language)],
    [labels.limit, values.limit && formatAmount(BigInt(values.limit), language)],
    [labels.amount, values.amount && formatAmount(BigInt(values.amount), language)],
    [labels.account, values.account && [values.bank, values.account].filter(Boolean).join(' ')],
    [labels.newNumber, values.newNumber],
    [labels.passkeysRemoved, values.passkeysRemoved && labels.count(values.passkeysRemoved)],
    [labels.at, formatMoment(facts.at, language)],
    [labels.device, values.device === '' ? labels.unknownDevice : values.device],
    [
      labels.waitsUntil,
      values.waitsUntil && labels.from(formatMoment(Temporal.Instant.from(values.waitsUntil), language)),
    ],
  ]
  const known = lines.flatMap(([label, value]) => (value ? [`- ${label}: ${value}`] : []))
  // In the fragment, which no server and no log sees.
  const address = page && `${pagesUrl}${page}${page === 'stop' ? `#${values.stopCode ?? ''}` : ''}`
  const next = [advice, ...(address ? [address] : [])].join('\n')
  const text = [`[Ingot] ${said}`, known.join('\n'), next, `${labels.contact}: ${contact}`].join('\n\n')
  return { subject: title, text }
}

function formatMoment(at: Temporal.Instant, language: MessageLanguage): string {
  const { year, month, day, hour, minute } = at.toZonedDateTimeISO(SEOUL)
  const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  const date = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
  return language === 'ko' ? `${year}년 ${month}월 ${day}일 ${time}` : `${date} ${time} (Seoul)`
}
