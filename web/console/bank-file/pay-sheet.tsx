import { useState } from 'react'
import type { AskedPayment, BankRow } from '../../../contract/console.gen.ts'
import { Checkbox } from '../../kit/field.tsx'
import { withCommas } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { REFUSAL_REASONS } from '../shared/api/refusal-reasons.ts'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { Won } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    title: '입금 등록',
    will: '선택한 입금을 요청합니다. 다른 사람이 승인하면 기록됩니다.',
    rows: (count: number) => `${withCommas(count)}건`,
    act: '승인 요청',
    prepay: '받을 금액보다 많으면 예치금으로 둡니다',
    list: '요청한 입금',
    waiting: '승인 대기',
    booked: '이미 기록됨',
    refused: '거절',
  },
  en: {
    title: 'Record payments',
    will: 'Asks to book the selected deposits. They are booked when another person approves them.',
    rows: (count: number) => `${withCommas(count)} deposits`,
    act: 'Ask for approval',
    prepay: 'What is more than is owed becomes deposit',
    list: 'Payments asked for',
    waiting: 'waits for approval',
    booked: 'was booked before',
    refused: 'refused',
  },
}

// More would be refused; the rest is asked for next.
const AT_ONCE = 200

interface Props {
  rows: readonly BankRow[]
  onClose(): void
  // The file is read again: what was asked for is known then.
  onDone(): void
}

export function PaySheet({ rows, onClose, onDone }: Props) {
  const texts = useTexts(TEXTS)
  const [prepay, setPrepay] = useState(false)
  const [asked, setAsked] = useState<readonly AskedPayment[]>()
  // What is shown stays, while the file behind it is read again.
  const [chosen] = useState(() => rows.slice(0, AT_ONCE))
  const total = chosen.reduce((sum, { won }) => sum + won, 0)
  return (
    <ActSheet
      open
      title={texts.title}
      explain={
        <>
          <p>{texts.will}</p>
          <p className="pt-2 font-semibold">
            {texts.rows(chosen.length)} · <Won amount={total} />
          </p>
        </>
      }
      act={texts.act}
      onClose={() => {
        onClose()
        if (asked) onDone()
      }}
      // Not yet: reading the file again would take the results away. Closing does it.
      onDone={() => {}}
      result={asked && <Results asked={asked} />}
      run={async (reason) => {
        const payments = chosen.map(({ partner, reference, won, statements }) => ({
          // A row without a partner cannot be selected.
          partner: partner!,
          reference,
          won,
          statements,
        }))
        const answer = await callApi('POST /bank-file/payments', { body: { payments, prepay, reason } })
        setAsked(answer.payments)
        // One that waits is enough for the sentence. The list below it has the state of each.
        return { waiting: answer.payments.some(({ state }) => state === 'waiting') }
      }}
    >
      <Checkbox label={texts.prepay} checked={prepay} onChange={(event) => setPrepay(event.target.checked)} />
    </ActSheet>
  )
}

function Results({ asked }: { asked: readonly AskedPayment[] }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const reasonOf = (refusal: string | null) => (refusal && REFUSAL_REASONS[language][refusal]) || refusal
  return (
    <ul aria-label={texts.list} className="flex flex-col gap-1">
      {asked.map(({ reference, state, requestId, refusal }) => (
        <li key={reference}>
          {reference}:{' '}
          {requestId ? (
            <ObjectLink kind="request" id={requestId}>
              {texts.waiting}
            </ObjectLink>
          ) : (
            <>
              {state === 'refused' ? texts.refused : texts.booked}
              {refusal && `, ${reasonOf(refusal)}`}
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
