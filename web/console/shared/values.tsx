import { type ReactNode, useState } from 'react'
import { moment, points, won } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'

const TEXTS = {
  ko: { copy: '복사', copied: '복사됨', seoul: '서울 시간', none: '없음' },
  en: { copy: 'Copy', copied: 'Copied', seoul: 'Seoul time', none: 'none' },
}

// Seconds count when events are put in order.
// Swedish dates are 2026-11-01 12:30:45: the same in both languages, and in order as text.
const EXACT = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Seoul',
  dateStyle: 'short',
  timeStyle: 'medium',
})

// A moment in Seoul's time; the exact one on hover and for machines.
export function Moment({ at }: { at: string | null | undefined }) {
  const { language } = useLanguage()
  const texts = useTexts(TEXTS)
  if (!at) return <Nothing />
  return (
    <time
      dateTime={at}
      title={`${EXACT.format(new Date(at))} (${texts.seoul})`}
      className="whitespace-nowrap"
    >
      {moment(at, language)}
    </time>
  )
}

// In a column of many: as short as it can be, and the time goes below the day where space is scarce.
export function ShortMoment({ at }: { at: string | null | undefined }) {
  const texts = useTexts(TEXTS)
  if (!at) return <Nothing />
  const exact = EXACT.format(new Date(at))
  const [day, time] = exact.split(' ')
  return (
    <time dateTime={at} title={`${exact} (${texts.seoul})`}>
      <span className="whitespace-nowrap">{day}</span>{' '}
      <span className="whitespace-nowrap">{time!.slice(0, 5)}</span>
    </time>
  )
}

export function ExactMoment({ at }: { at: string }) {
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {EXACT.format(new Date(at))}
    </time>
  )
}

export function Won({ amount }: { amount: number | null | undefined }) {
  const { language } = useLanguage()
  return amount === null || amount === undefined ? (
    <Nothing />
  ) : (
    <span className="whitespace-nowrap">{won(amount, language)}</span>
  )
}

export function Points({ amount }: { amount: number | null | undefined }) {
  return amount === null || amount === undefined ? (
    <Nothing />
  ) : (
    <span className="whitespace-nowrap">{points(amount)}</span>
  )
}

export function Nothing() {
  const texts = useTexts(TEXTS)
  return <span className="text-faint">{texts.none}</span>
}

// An id as people compare and copy it.
export function CopyId({ id, label }: { id: string; label?: string }) {
  const texts = useTexts(TEXTS)
  const [copied, setCopied] = useState(false)
  async function copy() {
    await navigator.clipboard.writeText(id)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <span className="inline-flex max-w-full items-baseline gap-1.5">
      <code className="min-w-0 font-code text-[0.875em] wrap-break-word">{id}</code>
      <button
        type="button"
        // Many copy buttons are on one page, so each says what it copies.
        aria-label={`${texts.copy} ${label ?? id}`}
        onClick={copy}
        className="no-print min-h-6 shrink-0 rounded-md px-1.5 text-[0.8125rem] text-link hover:bg-quiet"
      >
        <span role="status">{copied ? texts.copied : texts.copy}</span>
      </button>
    </span>
  )
}

export type BadgeLook = 'good' | 'plain' | 'warn' | 'bad'

const BADGES: Record<BadgeLook, string> = {
  good: 'bg-tint text-body',
  plain: 'bg-quiet text-body',
  warn: 'bg-warn text-warn-ink',
  bad: 'bg-bad text-up',
}

// A state in a word. Its colour only repeats what the word says.
export function Badge({ look = 'plain', children }: { look?: BadgeLook; children: ReactNode }) {
  return (
    <span
      className={`inline-block rounded-md px-1.5 py-0.5 text-[0.8125rem] font-medium whitespace-nowrap ${BADGES[look]}`}
    >
      {children}
    </span>
  )
}

export interface Fact {
  name: string
  value: ReactNode
}

// What an object is: names and values, in two columns where there is room.
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid gap-x-8 sm:grid-cols-2">
      {facts.map(({ name, value }) => (
        <div key={name} className="flex min-w-0 flex-wrap items-baseline gap-x-3 border-b border-line py-1.5">
          <dt className="w-32 shrink-0 text-sm text-sub">{name}</dt>
          <dd className="min-w-0 flex-1 text-[0.9375rem]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
