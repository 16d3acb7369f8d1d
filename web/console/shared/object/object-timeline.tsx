import { Fragment, type ReactNode, useState } from 'react'
import type {
  ObjectRef,
  Timeline as TimelineAnswer,
  TimelineEvent,
} from '../../../../contract/console.gen.ts'
import { Button } from '../../../kit/button.tsx'
import { points, signed } from '../../../kit/format.ts'
import { useTexts, useWon } from '../../../kit/language.tsx'
import { type Refusal, refusalOf } from '../api/refusal.ts'
import { RefusalMessage } from '../api/refusal-message.tsx'
import { Section } from '../page.tsx'
import { useSeenWords } from '../seen-words.ts'
import { Timeline } from '../timeline.tsx'
import { DETAIL_WORDS } from './detail-words.ts'
import { EVENT_WORDS } from './event-words.ts'
import { ObjectLink } from './object-link.tsx'
import { CAUSE_WORDS, REQUEST_WORDS } from './request-words.ts'
import { useWords } from './value-words.ts'

const TEXTS = {
  ko: {
    title: '기록',
    empty: '아직 기록이 없습니다.',
    more: '더 보기',
    order: '최신순',
    once: '승인되면',
  },
  en: {
    title: 'Timeline',
    empty: 'Nothing has happened yet.',
    more: 'Show more',
    order: 'newest first',
    once: 'once approved',
  },
}

interface Props {
  timeline: TimelineAnswer
  // The next page.
  load(below: string): Promise<TimelineAnswer>
}

// Everything that happened to one object. Further pages come on request; a reload of the object begins anew.
export function ObjectTimeline({ timeline, load }: Props) {
  const texts = useTexts(TEXTS)
  // `of` names the answer that these pages continue. After a reload it is another one, and they no longer fit.
  const [more, setMore] = useState<{ of: TimelineAnswer; events: TimelineEvent[]; next: string | null }>()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const further = more?.of === timeline ? more : { of: timeline, events: [], next: timeline.next }
  const events = [...timeline.events, ...further.events]

  async function loadMore(below: string) {
    setBusy(true)
    setRefusal(undefined)
    try {
      const page = await load(below)
      setMore({ of: timeline, events: [...further.events, ...page.events], next: page.next })
    } catch (error) {
      setRefusal(refusalOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section title={texts.title} aside={texts.order}>
      <Timeline
        empty={texts.empty}
        items={events.map((event, i) => ({
          // Two events may share their moment and their kind, so the position makes the key unique.
          id: `${event.at} ${event.what} ${i}`,
          at: event.at,
          title: <What {...event} />,
          detail: <Told {...event} />,
        }))}
      />
      <RefusalMessage refusal={refusal} />
      {further.next && (
        <Button look="quiet" size="small" busy={busy} onClick={() => loadMore(further.next!)}>
          {texts.more}
        </Button>
      )}
    </Section>
  )
}

function What({ what, object }: TimelineEvent) {
  const words = useTexts(EVENT_WORDS)
  const requests = useTexts(REQUEST_WORDS)
  return (
    <>
      {/* A service of a later release may send names that this build does not know. They are shown as they are. */}
      <span className="font-medium">{words[what] ?? requests[what] ?? what}</span>
      {object && (
        <>
          {' '}
          <ObjectLink {...object} />
        </>
      )}
    </>
  )
}

// Details whose values are words of ours; the rest are shown as they were written.
const SPOKEN = new Set([
  'channel',
  'purpose',
  'status',
  'termsId',
  'asset',
  'metal',
  'payout',
  'fromAccount',
  'toAccount',
])
const WON = new Set([
  'amount',
  'total',
  'won',
  'face',
  'deduction',
  'perGram',
  'owed',
  'creditLimit',
  'amountMin',
  'amountMax',
])
// What moved of an asset, as `-59982 KRW`. Points cannot be withdrawn, so they must not look like won.
const MOVED: Readonly<Record<string, 'points' | 'won'>> = { KRW_POINT: 'points', KRW: 'won' }
const assetText = (asset: string, text: string, won: (amount: number) => string) =>
  text.replace(/[+-]?\d+/g, (digits) => {
    const amount = Number(digits)
    const written = MOVED[asset] === 'points' ? points(amount) : won(amount)
    return digits.startsWith('+') ? signed(amount, written) : written
  })
// Amounts of a correction, which names its asset beside them.
const CORRECTED = new Set(['amount', 'balance', 'before', 'after'])
// Also the one before and the one after.
const YES_NO = /^(?:true|false)(?: → (?:true|false))?$/
// Ids that lead nowhere.
const INNER = new Set(['act', 'quote', 'payment'])
// Details that name another object.
const LINKED: Readonly<Record<string, ObjectRef['kind']>> = {
  request: 'request',
  member: 'member',
  delivery: 'delivery',
  withdrawal: 'withdrawal',
}

function Told({ what, by, from, details, source }: TimelineEvent) {
  const texts = useTexts(TEXTS)
  const names = useTexts(DETAIL_WORDS)
  const words = useWords()
  const causes = useTexts(CAUSE_WORDS)
  const won = useWon()
  const { nameOf, seenOf } = useSeenWords()
  const asset = details.find(({ name }) => name === 'asset')?.value
  const valueText = (name: string, value: string) => {
    // The reason of a failed message is a code with words. Any other reason was typed by a person.
    if (SPOKEN.has(name) || (name === 'reason' && source === 'message'))
      return value.split(' → ').map(words).join(' → ')
    if (Object.hasOwn(MOVED, name)) return assetText(name, value.replace(' KRW', ''), won)
    if (YES_NO.test(value)) return value.split(' → ').map(words).join(' → ')
    if (name === 'cause') return causes[value] ?? value
    if (asset !== undefined && Object.hasOwn(MOVED, asset) && CORRECTED.has(name))
      return assetText(asset, value, won)
    if (!WON.has(name)) return value
    // One amount, or the one before and the one after.
    return value.replace(/-?\d+/g, (amount) => won(Number(amount)))
  }
  const parts: ReactNode[] = [
    ...(by === null ? [] : [by]),
    ...from.map(({ name, value }) => `${nameOf(name)} ${seenOf(value)}`),
    ...details
      .filter(({ name }) => !INNER.has(name))
      .map(({ name, value }) => (
        <Fragment key={name}>
          {/* What a request asks for has not happened yet. */}
          {what.endsWith('.request') && name === 'status' && `${texts.once} `}
          {`${names[name] ?? name}: `}
          {LINKED[name] ? <ObjectLink kind={LINKED[name]} id={value} /> : valueText(name, value)}
        </Fragment>
      )),
  ]
  return (
    <span className="break-words">
      {parts.map((part, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
        <Fragment key={i}>
          {i > 0 && ' · '}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
