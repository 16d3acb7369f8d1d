import { useQuery } from '@tanstack/react-query'
import type { AuditChain, AuditFinding, AuditFindingKind } from '../../../contract/console.gen.ts'
import { type Texts, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Note } from '../../kit/note.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { Section } from '../shared/page.tsx'
import { Badge, Facts, Moment, Nothing } from '../shared/values.tsx'

interface ChainTexts {
  title: string
  sealed: string
  sealedTo: (position: string) => string
  waiting: string
  waits: (count: number, seconds: number) => string
  none: string
  backlog: string
  anchored: string
  anchoredTo: (position: string) => string
  noAnchor: string
  verified: string
  whole: string
  broken: string
  never: string
  what: string
  at: (finding: AuditFinding) => string
  todo: string
}

const COUNT = new Intl.NumberFormat('en-US')

const TEXTS: Texts<ChainTexts> = {
  ko: {
    title: '기록의 봉인 상태',
    sealed: '봉인',
    sealedTo: (position) => `${position}번째까지`,
    waiting: '대기',
    waits: (count, seconds) => `${COUNT.format(count)}건, 가장 오래된 것은 ${COUNT.format(seconds)}초 전`,
    none: '없음',
    backlog: '이전 기록을 봉인하고 있습니다.',
    anchored: '외부 고정',
    anchoredTo: (position) => `${position}번째까지`,
    noAnchor: '아직 없습니다. 작업 프로세스가 곧 기록합니다.',
    verified: '마지막 검증',
    whole: '이상 없음',
    broken: '훼손됨',
    never: '아직 검증하지 않았습니다. 매일 밤 검증하며, ingot audit verify로 바로 할 수 있습니다.',
    what: '감사 기록이 훼손되었습니다.',
    at: ({ position, entry, goodTo }) =>
      [position && `${position}번째`, entry && `기록 ${entry}`, goodTo && `${goodTo}번째까지는 이상 없음`]
        .filter(Boolean)
        .join(', '),
    todo: '서버에서 ingot audit verify를 실행하고 결과를 보관해 주세요. 데이터베이스를 손으로 고치지 마세요.',
  },
  en: {
    title: 'State of the chain',
    sealed: 'Sealed',
    sealedTo: (position) => `to position ${position}`,
    waiting: 'Waiting',
    waits: (count, seconds) => `${COUNT.format(count)}, the oldest for ${COUNT.format(seconds)} s`,
    none: 'none',
    backlog: 'Entries from before are being sealed.',
    anchored: 'Anchored outside',
    anchoredTo: (position) => `to position ${position}`,
    noAnchor: 'Not yet. The worker writes one soon.',
    verified: 'Last verified',
    whole: 'whole',
    broken: 'broken',
    never: 'Not yet. It is verified every night; ingot audit verify does it now.',
    what: 'The audit log is not what was sealed.',
    at: ({ position, entry, goodTo }) =>
      [
        position && `position ${position}`,
        entry && `entry ${entry}`,
        goodTo && `good up to position ${goodTo}`,
      ]
        .filter(Boolean)
        .join(', '),
    todo: 'Run ingot audit verify on the server and keep its output. Do not correct the database by hand.',
  },
}

const KINDS: Texts<Record<AuditFindingKind, string>> = {
  ko: {
    entry_edited: '기록이 수정되었습니다.',
    entry_deleted: '기록이 삭제되었습니다.',
    entry_inserted: '봉인을 거치지 않은 기록이 있습니다.',
    entry_misdated: '기록의 날짜가 앞뒤 기록과 맞지 않습니다.',
    link_deleted: '봉인 순번이 삭제되었습니다.',
    link_edited: '봉인 순서가 바뀌었거나 끼워 넣었습니다.',
    private_edited: '사유나 접속지가 바뀌었습니다.',
    private_deleted: '사유나 접속지가 절차 없이 삭제되었습니다.',
    erased_without_entry: '삭제 기록 없이 개인정보가 지워졌습니다.',
    chain_rewritten: '외부에 고정한 값과 다릅니다. 전체가 다시 쓰였습니다.',
    chain_cut_off: '외부에 고정한 뒤의 기록이 잘려 나갔습니다.',
    anchor_forged: '고정 파일에 위조된 줄이 있습니다.',
    anchors_missing: '고정 파일이 없거나 일부가 사라졌습니다.',
  },
  en: {
    entry_edited: 'An entry was edited.',
    entry_deleted: 'An entry was deleted.',
    entry_inserted: 'An entry never waited for the sealer.',
    entry_misdated: 'An entry says another day than those beside it.',
    link_deleted: 'A position of the chain was deleted.',
    link_edited: 'Positions were moved or inserted.',
    private_edited: 'A reason or an origin was changed.',
    private_deleted: 'A reason or an origin was deleted and not erased.',
    erased_without_entry: 'Something was erased, and no entry says by whom.',
    chain_rewritten: 'It differs from what was anchored: the chain was rewritten.',
    chain_cut_off: 'Entries that were anchored are cut off.',
    anchor_forged: 'The file of anchors has a forged line.',
    anchors_missing: 'The file of anchors is gone, or a part of it.',
  },
}

// How far the log is sealed, anchored and verified. It follows the worker without reloading.
export function ChainState() {
  const { data, error, refetch } = useQuery({
    queryKey: ['audit', 'chain'],
    queryFn: () => callApi('GET /audit/chain'),
    // The worker seals while the page is open.
    refetchInterval: 5_000,
  })
  // A failed refresh keeps the last known state on the page.
  if (error && !data) return <LoadError error={error} onRetry={refetch} />
  if (!data) return <Loading />
  return <Chain chain={data} />
}

function Chain({ chain }: { chain: AuditChain }) {
  const texts = useTexts(TEXTS)
  const kinds = useTexts(KINDS)
  const finding = chain.verified?.finding
  return (
    <Section title={texts.title}>
      {/* The most important news of the page, so a screen reader announces it at once. */}
      {finding && (
        <div role="alert" className="pb-3">
          <Note look="warn">
            <strong>{texts.what}</strong> {kinds[finding.kind]} {texts.at(finding)}
            <br />
            {texts.todo}
          </Note>
        </div>
      )}
      <ChainFacts chain={chain} />
    </Section>
  )
}

function ChainFacts({ chain }: { chain: AuditChain }) {
  const texts = useTexts(TEXTS)
  const { sealedTo, sealedAt, waiting, waitingSeconds, backlog, verified } = chain
  const [anchor] = chain.anchors
  const facts = [
    {
      name: texts.sealed,
      value: (
        <>
          {texts.sealedTo(COUNT.format(sealedTo))} · {sealedAt ? <Moment at={sealedAt} /> : <Nothing />}
        </>
      ),
    },
    {
      name: texts.waiting,
      value: (
        <>
          {waiting === 0 ? texts.none : texts.waits(waiting, waitingSeconds)} {backlog && texts.backlog}
        </>
      ),
    },
    {
      name: texts.anchored,
      value: anchor ? (
        <>
          {texts.anchoredTo(COUNT.format(anchor.position))} · <Moment at={anchor.anchoredAt} /> ·{' '}
          {anchor.host}
        </>
      ) : (
        texts.noAnchor
      ),
    },
    {
      name: texts.verified,
      value: verified ? (
        <>
          <Badge look={verified.finding ? 'bad' : 'good'}>
            {verified.finding ? texts.broken : texts.whole}
          </Badge>{' '}
          <Moment at={verified.at} /> · {texts.sealedTo(COUNT.format(verified.sealedTo))}
        </>
      ) : (
        texts.never
      ),
    },
  ]
  return <Facts facts={facts} />
}
