import type { ReactNode } from 'react'
import { isLost, type Refusal } from './api.ts'
import { Button } from './button.tsx'
import { change, directionOf } from './format.ts'
import { NextIcon } from './icons.tsx'
import { useLanguage, useTexts } from './language.tsx'
import { sayRefusal } from './refusals.ts'

const TEXTS = {
  ko: { retry: '다시 시도하기', loading: '불러오는 중' },
  en: { retry: 'Try again', loading: 'Loading' },
}

export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <section className={`rounded-[1.25rem] bg-surface p-5 sm:p-6 ${className}`}>{children}</section>
}

// Cards below each other; on a larger screen in two columns, as evenly as they go.
export function Columns({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-3 md:block md:columns-2 md:gap-4 md:*:mb-4 md:*:break-inside-avoid">
      {children}
    </div>
  )
}

export function Note({ children, look = 'warn' }: { children: ReactNode; look?: 'warn' | 'bad' | 'tint' }) {
  const looks = { warn: 'bg-warn text-warn-ink', bad: 'bg-bad text-up', tint: 'bg-tint text-body' }
  return <div className={`rounded-2xl px-4 py-3 text-[0.9375rem] ${looks[look]}`}>{children}</div>
}

// It may be below the fold, or behind the buttons that stay in sight.
function bringIntoSight(place: HTMLElement | null): void {
  place?.scrollIntoView({ block: 'nearest' })
}

// A live region stands in the page before its text comes, never hidden: a screen reader announces what changes in a region
// that it knows, and may miss one that comes with its text.
export function LiveRegion({ role, children }: { role: 'alert' | 'status'; children: ReactNode }) {
  return (
    <div role={role} className="empty:sr-only">
      {children}
    </div>
  )
}

interface ProblemProps {
  refusal: Refusal | undefined
  // What a page says of a lost answer, where it knows what sending again does.
  lost?: string
  // Said in place of the usual sentence.
  children?: ReactNode
}

// What went wrong with what was just asked for, announced; nothing if nothing did.
export function Problem({ refusal, lost, children }: ProblemProps) {
  const { language } = useLanguage()
  const isUnsure = refusal !== undefined && lost !== undefined && isLost(refusal)
  return (
    <LiveRegion role="alert">
      {refusal && (
        <div ref={bringIntoSight} className="scroll-mb-32">
          <Note look={isUnsure ? 'warn' : 'bad'}>
            {isUnsure ? lost : (children ?? sayRefusal(refusal, language))}
          </Note>
        </div>
      )}
    </LiveRegion>
  )
}

// In place of what could not be loaded.
export function Trouble({ refusal, onRetry }: { refusal: Refusal; onRetry(): void }) {
  const { language } = useLanguage()
  const texts = useTexts(TEXTS)
  return (
    <Card className="flex flex-col gap-4">
      <p role="alert" className="text-body">
        {sayRefusal(refusal, language)}
      </p>
      <Button look="quiet" onClick={onRetry}>
        {texts.retry}
      </Button>
    </Card>
  )
}

const SKELETON = ['w-2/5', 'w-full', 'w-3/4', 'w-11/12', 'w-2/3', 'w-4/5']

export function Loading({ lines = 3 }: { lines?: number }) {
  const texts = useTexts(TEXTS)
  return (
    <Card className="flex flex-col gap-4">
      <span role="status" className="sr-only">
        {texts.loading}
      </span>
      {SKELETON.slice(0, lines).map((width) => (
        <div key={width} aria-hidden="true" className={`skeleton h-6 ${width}`} />
      ))}
    </Card>
  )
}

// What few want to know, one tap away.
export function Fold({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className="group/fold">
      <summary className="flex min-h-12 list-none items-center justify-between gap-2 rounded-xl font-medium text-sub hover:text-ink [&::-webkit-details-marker]:hidden">
        {summary}
        <NextIcon className="size-5 shrink-0 rotate-90 transition-transform group-open/fold:-rotate-90" />
      </summary>
      {children}
    </details>
  )
}

export interface Row {
  name: string
  value: ReactNode
  strong?: boolean
}

export function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <dl className="flex flex-col">
      {rows.map(({ name, value, strong }) => (
        <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
          <dt className="text-sub">{name}</dt>
          <dd className={`ms-auto text-end ${strong ? 'font-bold' : 'font-medium'}`}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

// What scrolls by itself must be reachable by keyboard.
export function Scroller(props: { label: string; className?: string; children: ReactNode }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      aria-label={props.label}
      className={`overflow-auto ${props.className ?? ''}`}
    >
      {props.children}
    </section>
  )
}

const COLOURS = { up: 'text-up', down: 'text-down', flat: 'text-sub' }

// Of nothing there is no change to tell.
export function Change({ won, percent }: { won: number; percent: string | null }) {
  const { language } = useLanguage()
  if (won === 0 && percent === null) return null
  return <span className={`font-medium ${COLOURS[directionOf(won)]}`}>{change(won, percent, language)}</span>
}
