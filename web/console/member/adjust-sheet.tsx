import { useState } from 'react'
import type { MemberPage } from '../../../contract/console.gen.ts'
import { Field, Segments } from '../../kit/field.tsx'
import { points as pointsText } from '../../kit/format.ts'
import { useTexts, useWon } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import type { SheetProps } from '../shared/object/preview-sheet.tsx'

const TEXTS = {
  ko: {
    title: '잔액 조정하기',
    will: '잘못 더하거나 뺀 금액을 바로잡습니다. 다른 사람이 승인하면 실행되고, 잔액은 0원보다 작아지지 않습니다.',
    asset: '무엇을',
    points: '포인트',
    deposit: '예치금',
    direction: '어떻게',
    add: '더하기',
    take: '빼기',
    amount: '금액 (원)',
    wrong: '1에서 1,000,000,000 사이의 금액을 입력해 주세요.',
    after: (before: string, after: string) => `지금 ${before} → 조정 뒤 ${after}`,
    act: '조정 요청',
  },
  en: {
    title: 'Adjust a balance',
    will: 'Corrects what was added or taken by mistake. It is carried out when another person approves it, and never goes below zero.',
    asset: 'What',
    points: 'Points',
    deposit: 'Deposit',
    direction: 'How',
    add: 'Add',
    take: 'Take away',
    amount: 'Amount (won)',
    wrong: 'Enter an amount from 1 to 1,000,000,000.',
    after: (before: string, after: string) => `Now ${before} → then ${after}`,
    act: 'Ask for it',
  },
}

// The service refuses a larger correction.
const MOST = 1_000_000_000

// Corrects points or deposit of a member. Metal is left out: what it had cost follows from orders.
export function AdjustSheet({ member, ...sheet }: SheetProps & { member: MemberPage }) {
  const texts = useTexts(TEXTS)
  const won = useWon()
  const [asset, setAsset] = useState<'points' | 'deposit'>('points')
  const [direction, setDirection] = useState<'add' | 'take'>('add')
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const size = Number(typed)
  const isRight = size >= 1 && size <= MOST
  const amount = direction === 'add' ? size : -size
  // The member's own: what a link holds that is not decided on stays with it.
  const held = member.holdings.find(({ through }) => through === null)?.[asset] ?? 0
  // Points cannot be withdrawn, so they must not look like won.
  const figure = asset === 'points' ? pointsText : won
  return (
    <ActSheet
      {...sheet}
      title={texts.title}
      explain={texts.will}
      act={texts.act}
      check={() => {
        setWrong(!isRight)
        return isRight
      }}
      run={(reason) =>
        callApi('POST /members/:memberId/adjustments', {
          params: { memberId: member.memberId },
          body: { asset, amount, reason },
        })
      }
    >
      <Segments<'points' | 'deposit'>
        legend={texts.asset}
        value={asset}
        options={[
          { value: 'points', label: texts.points },
          { value: 'deposit', label: texts.deposit },
        ]}
        onChange={setAsset}
      />
      <Segments<'add' | 'take'>
        legend={texts.direction}
        value={direction}
        options={[
          { value: 'add', label: texts.add },
          { value: 'take', label: texts.take },
        ]}
        onChange={setDirection}
      />
      <Field
        label={texts.amount}
        inputMode="numeric"
        value={typed}
        // A pasted amount has commas or a currency sign. Ten digits are enough for the limit.
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, '').slice(0, 10))}
        // The balance after the act shows a wrong direction before it is asked for.
        hint={isRight ? texts.after(figure(held), figure(held + amount)) : undefined}
        error={wrong && !isRight ? texts.wrong : undefined}
      />
    </ActSheet>
  )
}
