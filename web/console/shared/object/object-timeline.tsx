import { useState } from 'react'
import type { Timeline as TimelineAnswer, TimelineEvent } from '../../../../contract/console.gen.ts'
import { Button } from '../../../kit/button.tsx'
import { useTexts } from '../../../kit/language.tsx'
import { type Refusal, refusalOf } from '../api/refusal.ts'
import { RefusalMessage } from '../api/refusal-message.tsx'
import { Section } from '../page.tsx'
import { Timeline } from '../timeline.tsx'
import { DETAIL_WORDS, EVENT_WORDS } from './event-words.ts'
import { ObjectLink } from './object-link.tsx'
import { useWords } from './value-words.ts'

const TEXTS = {
  ko: { title: '기록', empty: '아직 기록이 없습니다.', more: '더 보기', order: '최신순' },
  en: { title: 'Timeline', empty: 'Nothing has happened yet.', more: 'Show more', order: 'newest first' },
}

interface Props {
  timeline: TimelineAnswer
  // The next page.
  load(below: string): Promise<TimelineAnswer>
}

// Everything that happened to one object. Further pages come on request; a reload of the object begins anew.
export function ObjectTimeline({ timeline, load }: Props) {
  const texts = useTexts(TEXTS)
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
  return (
    <>
      <span className="font-medium">{words[what] ?? what}</span>
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
const SPOKEN = new Set(['channel', 'purpose', 'status', 'termsId'])

function Told({ by, from, details, source }: TimelineEvent) {
  const names = useTexts(DETAIL_WORDS)
  const words = useWords()
  const facts = details
    .filter(({ name }) => name !== 'act')
    .map(({ name, value }) => {
      const isSpoken = SPOKEN.has(name) || (name === 'reason' && source === 'message')
      return `${names[name] ?? name}: ${isSpoken ? words(value) : value}`
    })
  return [by, from, ...facts].filter(Boolean).join(' · ')
}
