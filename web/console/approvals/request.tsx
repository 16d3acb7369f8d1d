import { useState } from 'react'
import type { ApprovalRequest, FieldDifference } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { points, signed, withCommas } from '../../kit/format.ts'
import { useTexts, useWon } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { queryClient } from '../shared/session.ts'
import { Badge, type BadgeLook, Facts, Moment } from '../shared/values.tsx'
import { FIELD_NAMES, KIND_NAMES, SEEN, STATUS_NAMES, VALUE_NAMES } from './texts.ts'

const TEXTS = {
  ko: {
    subject: '대상',
    maker: '요청',
    checker: '결정',
    until: '기한',
    reason: '사유',
    unread: '있음 (이 일을 할 수 있는 사람만 봅니다)',
    single: '한 사람이 요청하고 승인했습니다(샌드박스).',
    mine: '내가 올린 요청입니다. 다른 사람이 승인해야 합니다.',
    approve: '승인하기',
    refuse: '거절하기',
    takeBack: '요청 거두기',
    approveTitle: '승인하고 실행하기',
    refuseTitle: '요청 거절하기',
    explain: '승인하면 바로 실행됩니다. 그사이 상태가 바뀌었으면 실행하지 않고 이유를 알려 드립니다.',
    refuseExplain: '요청한 일은 일어나지 않습니다.',
    seconds: (count: string) => `${count}초`,
  },
  en: {
    subject: 'Of',
    maker: 'Asked by',
    checker: 'Decided by',
    until: 'Until',
    reason: 'Reason',
    unread: 'given (shown to those who may act here)',
    single: 'One person asked and approved, in a sandbox.',
    mine: 'You asked for this. Another person has to approve it.',
    approve: 'Approve',
    refuse: 'Refuse',
    takeBack: 'Take it back',
    approveTitle: 'Approve and carry out',
    refuseTitle: 'Refuse the request',
    explain: 'It is carried out at once. If something has changed since, nothing happens and you read why.',
    refuseExplain: 'What was asked for does not happen.',
    seconds: (count: string) => `${count} s`,
  },
}

const LOOKS: Record<ApprovalRequest['status'], BadgeLook> = {
  waiting: 'warn',
  executed: 'good',
  refused: 'plain',
  expired: 'plain',
}

// One request: what it changes, who, why, until when; and the two acts.
export function RequestDetails({ request }: { request: ApprovalRequest }) {
  const texts = useTexts(TEXTS)
  const { maker, checker } = request
  return (
    <div className="flex flex-col gap-3">
      <Differences changes={request.changes} />
      <Facts
        facts={[
          { name: texts.subject, value: <Subject {...request} /> },
          {
            name: texts.reason,
            // A reason may name someone. The service shows it to those who may ask for or decide on such a change.
            value:
              request.reason === null ? (
                <span className="text-sub">{texts.unread}</span>
              ) : (
                <span className="break-words">{request.reason}</span>
              ),
          },
          { name: texts.maker, value: <Who {...maker} /> },
          // A decided request no longer expires, so its decision takes that place.
          checker
            ? { name: texts.checker, value: <Who {...checker} /> }
            : { name: texts.until, value: <Moment at={request.expiresAt} /> },
        ]}
      />
      {request.singlePerson && <p className="text-sm text-sub">{texts.single}</p>}
    </div>
  )
}

export function RequestHeading({ request }: { request: ApprovalRequest }) {
  const kinds = useTexts(KIND_NAMES)
  const states = useTexts(STATUS_NAMES)
  return (
    <span className="inline-flex flex-wrap items-baseline gap-2">
      {kinds[request.kind]} <Badge look={LOOKS[request.status]}>{states[request.status]}</Badge>
    </span>
  )
}

function Subject({ subject, subjectKind }: ApprovalRequest) {
  const values = useTexts(VALUE_NAMES)
  // A staff member and an institution have no page of their own.
  if (subjectKind === 'staff' || subjectKind === 'institution')
    return <span className="break-all">{subject}</span>
  if (subjectKind === 'metal' || subjectKind === 'refund_policy') return <>{values[subject] ?? subject}</>
  const kind = subjectKind === 'holder' ? 'member' : subjectKind
  return <ObjectLink kind={kind} id={subject} />
}

// An act in the console comes from an address, one on the command line from an account of a machine.
function Who({ actor, address, machine, at }: ApprovalRequest['maker']) {
  const texts = useTexts(SEEN)
  return (
    <>
      <span className="break-all">{actor}</span> <Moment at={at} />
      {address !== null && <span className="block text-sm text-sub">{texts.browser(address)}</span>}
      {machine !== null && <span className="block text-sm text-sub">{texts.account(machine)}</span>}
    </>
  )
}

function Differences({ changes }: { changes: readonly FieldDifference[] }) {
  const fields = useTexts(FIELD_NAMES)
  const inWords = useValueWords()
  return (
    <ul className="flex flex-col gap-1 text-[0.9375rem]">
      {changes.map(({ field, before, after, unit }) => (
        <li key={field} className="flex flex-wrap gap-x-2">
          <span className="w-40 shrink-0 text-sub">{fields[field] ?? field}</span>
          <span className="font-semibold">
            {/* A new value has nothing before it. */}
            {before !== null && <span className="font-normal">{inWords(before, unit)} → </span>}
            {inWords(after, unit)}
          </span>
        </li>
      ))}
    </ul>
  )
}

function useValueWords(): (value: string, unit: FieldDifference['unit']) => string {
  const texts = useTexts(TEXTS)
  const values = useTexts(VALUE_NAMES)
  const won = useWon()
  return (value, unit) => {
    const amount = Number(value)
    if (unit === 'won') return won(amount)
    if (unit === 'won_change') return signed(amount, won(amount))
    if (unit === 'points') return points(amount)
    if (unit === 'points_change') return signed(amount, points(amount))
    if (unit === 'won_per_gram') return `${won(Number(value))}/g`
    if (unit === 'basis_points') return `${(Number(value) / 100).toFixed(2)}%`
    if (unit === 'seconds') return texts.seconds(withCommas(value))
    return values[value] ?? value
  }
}

// Inbox, single requests and the count in the menu share this prefix, so one call refreshes all of them.
const reload = () => queryClient.invalidateQueries({ queryKey: ['approvals'] })

// A refusal of what was to be carried out stays in the sheet, and the request goes on waiting.
export function RequestActs({ request }: { request: ApprovalRequest }) {
  const texts = useTexts(TEXTS)
  const [open, setOpen] = useState<'approve' | 'refuse'>()
  const params = { requestId: request.id }
  const [decided, setDecided] = useState(false)
  // Only then: a decided request leaves the inbox, and its sheet would go before it was read.
  const close = () => {
    setOpen(undefined)
    if (decided) reload()
  }
  const onDone = () => setDecided(true)
  const { mine, mayApprove, mayRefuse, status } = request
  return (
    <>
      {/* The service decides who may approve. In one-person mode of a sandbox, the person who asked may. */}
      {mine && !mayApprove && status === 'waiting' && <p className="text-sm text-sub">{texts.mine}</p>}
      <div className="no-print flex flex-wrap gap-2">
        {mayApprove && (
          <Button size="small" onClick={() => setOpen('approve')}>
            {texts.approve}
          </Button>
        )}
        {mayRefuse && (
          <Button look="quiet" size="small" onClick={() => setOpen('refuse')}>
            {mine ? texts.takeBack : texts.refuse}
          </Button>
        )}
      </div>
      <ActSheet
        open={open === 'approve'}
        onClose={close}
        onDone={onDone}
        title={texts.approveTitle}
        // The request has a reason already. Only a refusal needs one of its own.
        withReason={false}
        explain={
          <div className="flex flex-col gap-3">
            <p>{texts.explain}</p>
            {/* The values stand beside the button, so nobody approves a name alone. */}
            <Differences changes={request.changes} />
          </div>
        }
        act={texts.approve}
        run={async () => {
          await callApi('POST /approvals/:requestId/approve', { params, body: {} })
          return null
        }}
      />
      <ActSheet
        open={open === 'refuse'}
        onClose={close}
        onDone={onDone}
        title={mine ? texts.takeBack : texts.refuseTitle}
        look="sell"
        explain={texts.refuseExplain}
        act={mine ? texts.takeBack : texts.refuse}
        run={async (reason) => {
          await callApi('POST /approvals/:requestId/refuse', { params, body: { reason } })
          return null
        }}
      />
    </>
  )
}
