import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { AuditEntry, AuditPrivatePart } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { type Texts, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { EVENT_WORDS } from '../shared/object/event-words.ts'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { RawJson } from '../shared/raw-json.tsx'
import { useSeenWords } from '../shared/seen-words.ts'
import { useMay } from '../shared/session.ts'
import { CopyId, ExactMoment, Facts, Nothing } from '../shared/values.tsx'

interface EntryTexts {
  title: (id: string) => string
  summary: string
  at: string
  actor: string
  action: string
  subject: string
  position: string
  waits: string
  changes: string
  name: string
  before: string
  after: string
  noChanges: string
  why: string
  states: Record<AuditEntry['private'] | 'open', string>
  reason: string
  from: string
  open: string
  openExplain: string
  erase: string
  eraseExplain: string
  eraseConfirm: string
  back: string
}

const TEXTS: Texts<EntryTexts> = {
  ko: {
    title: (id) => `감사 기록 ${id}`,
    summary: '요약',
    at: '일시',
    actor: '누가',
    action: '무엇을',
    subject: '대상',
    position: '봉인 순번',
    waits: '봉인을 기다립니다',
    changes: '변경 전과 후',
    name: '항목',
    before: '변경 전',
    after: '변경 후',
    noChanges: '이 기록에는 바뀐 값이 없습니다.',
    why: '사유와 접속지',
    states: {
      none: '따로 봉인한 내용이 없습니다.',
      sealed: '사유와 접속지는 따로 봉인되어 있습니다. 열람하면 감사 기록에 남습니다.',
      erased: '삭제되었습니다. 누가 삭제했는지는 감사 기록에 있습니다.',
      lost: '열 수 없습니다. ingot audit verify를 실행해 주세요.',
      open: '',
    },
    reason: '사유',
    from: '접속지',
    open: '열람하기',
    openExplain: '이 기록의 사유와 접속지를 봅니다. 열람한 사실이 감사 기록에 남습니다.',
    erase: '삭제하기',
    eraseExplain: '이 기록의 사유와 접속지를 지웁니다. 기록 자체와 봉인은 그대로 남습니다.',
    eraseConfirm: '지운 내용은 되돌릴 수 없습니다. 정말 지울까요?',
    back: '감사 기록 목록',
  },
  en: {
    title: (id) => `Audit entry ${id}`,
    summary: 'Summary',
    at: 'When',
    actor: 'Who',
    action: 'What',
    subject: 'About',
    position: 'Position',
    waits: 'waits for the sealer',
    changes: 'Before and after',
    name: 'Field',
    before: 'Before',
    after: 'After',
    noChanges: 'This entry names no changed value.',
    why: 'Reason and origin',
    states: {
      none: 'Nothing was sealed apart.',
      sealed: 'Reason and origin are sealed apart. Opening them goes into the audit log.',
      erased: 'Erased. The audit log says by whom.',
      lost: 'They do not open. Run ingot audit verify.',
      open: '',
    },
    reason: 'Reason',
    from: 'From',
    open: 'Open',
    openExplain: 'Shows reason and origin of this entry. The audit log keeps that you looked.',
    erase: 'Erase',
    eraseExplain: 'Erases reason and origin of this entry. The entry itself and its seal stay.',
    eraseConfirm: 'This cannot be undone. Erase it?',
    back: 'Audit log',
  },
}

export default function AuditEntryPage() {
  const { entryId } = useParams({ strict: false }) as { entryId: string }
  const texts = useTexts(TEXTS)
  const events = useTexts(EVENT_WORDS)
  const { data, error, refetch } = useQuery({
    queryKey: ['audit', 'entry', entryId],
    queryFn: () => callApi('GET /audit/entries/:entryId', { params: { entryId } }),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading />
  return (
    <Page title={texts.title(data.entryId)} sub={<Link to="/audit">{texts.back}</Link>}>
      <Section title={texts.summary}>
        <Facts facts={factsOf(data, texts, events)} />
      </Section>
      <Section title={texts.changes}>
        <Changes entry={data} />
      </Section>
      <Why entry={data} onErased={() => void refetch()} />
      <RawJson value={data} />
    </Page>
  )
}

function factsOf(entry: AuditEntry, texts: EntryTexts, events: Record<string, string>) {
  return [
    { name: texts.at, value: <ExactMoment at={entry.at} /> },
    { name: texts.actor, value: <CopyId id={entry.actor} label={texts.actor} /> },
    {
      name: texts.action,
      value: (
        <>
          {/* The words are for reading. The name is what the list filters by. */}
          {events[entry.action] ?? ''} <code className="font-code text-sub">{entry.action}</code>
        </>
      ),
    },
    { name: texts.subject, value: <CopyId id={entry.subject} label={texts.subject} /> },
    // The worker seals an entry a moment after it was written.
    { name: texts.position, value: entry.position ?? texts.waits },
    ...entry.facts.map(({ name, value }) => ({ name, value: value ?? <Nothing /> })),
  ]
}

function Changes({ entry }: { entry: AuditEntry }) {
  const texts = useTexts(TEXTS)
  if (entry.changes.length === 0) return <p className="text-sub">{texts.noChanges}</p>
  return (
    <DataTable
      caption={texts.changes}
      rows={entry.changes}
      keyOf={({ name }) => name}
      empty={texts.noChanges}
      columns={[
        { key: 'name', title: texts.name, cell: ({ name }) => <code className="font-code">{name}</code> },
        { key: 'before', title: texts.before, cell: ({ before }) => before ?? <Nothing /> },
        { key: 'after', title: texts.after, cell: ({ after }) => <b>{after ?? <Nothing />}</b> },
      ]}
    />
  )
}

function Opened({ reason, from }: AuditPrivatePart) {
  const texts = useTexts(TEXTS)
  const { nameOf, seenOf } = useSeenWords()
  return (
    <Facts
      facts={[
        { name: texts.reason, value: reason ?? <Nothing /> },
        ...from.map(({ name, value }) => ({ name: `${texts.from}: ${nameOf(name)}`, value: seenOf(value) })),
      ]}
    />
  )
}

type Act = 'reveal' | 'erase'

function Why({ entry, onErased }: { entry: AuditEntry; onErased(): void }) {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [act, setAct] = useState<Act>()
  // Only this component holds what was opened. No cache keeps it, and leaving the page forgets it.
  const [opened, setOpened] = useState<AuditPrivatePart>()
  const { entryId } = entry
  const shown = opened?.state === 'open' ? opened : undefined
  const isSealed = entry.private === 'sealed'
  const close = () => setAct(undefined)
  async function reveal(reason: string) {
    setOpened(await callApi('POST /audit/entries/:entryId/reveal', { params: { entryId }, body: { reason } }))
    return {}
  }
  async function erase(reason: string) {
    await callApi('POST /audit/entries/:entryId/erase', { params: { entryId }, body: { reason } })
    // What was opened before must not outlive its erasure.
    setOpened(undefined)
    return {}
  }
  return (
    <Section title={texts.why}>
      {/* The answer is newer than the entry: what was sealed may turn out to be lost. */}
      {shown ? (
        <Opened {...shown} />
      ) : (
        <p className="text-sub">{texts.states[opened?.state ?? entry.private]}</p>
      )}
      {/* There is nothing to open or erase in other states. */}
      {isSealed && (
        <div className="no-print flex flex-wrap gap-2 pt-3">
          {may('audit.reveal') && !shown && (
            <Button look="quiet" onClick={() => setAct('reveal')}>
              {texts.open}
            </Button>
          )}
          {may('audit.erase') && (
            <Button look="quiet" onClick={() => setAct('erase')}>
              {texts.erase}
            </Button>
          )}
        </div>
      )}
      <ActSheet
        open={act === 'reveal'}
        onClose={close}
        title={texts.open}
        explain={texts.openExplain}
        act={texts.open}
        run={reveal}
        onDone={close}
      />
      <ActSheet
        open={act === 'erase'}
        onClose={close}
        title={texts.erase}
        explain={texts.eraseExplain}
        // What is erased is gone for good, so it takes a second step.
        confirm={texts.eraseConfirm}
        act={texts.erase}
        look="sell"
        run={erase}
        onDone={onErased}
      />
    </Section>
  )
}
