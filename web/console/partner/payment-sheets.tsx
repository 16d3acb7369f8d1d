import { useState } from 'react'
import type { PartnerPage, PartnerPayment } from '../../../contract/console.gen.ts'
import { Checkbox, Field } from '../../kit/field.tsx'
import { useTexts, useWon } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import type { SheetProps } from '../shared/object/preview-sheet.tsx'

const TEXTS = {
  ko: {
    book: '입금 기록하기',
    bookWill: '통장에 들어온 돈을 제휴사의 미수금에서 뺍니다. 다른 사람이 승인하면 기록됩니다.',
    amount: '입금액 (원)',
    amountWrong: '1 이상의 금액을 입력해 주세요.',
    after: (before: string, after: string) => `미수금 ${before} → ${after}`,
    prepaid: (before: string, after: string) => `미수금 ${before} → 선입금 ${after}`,
    reference: '입금 번호',
    referenceHint: '은행 거래를 하나로 정하는 번호. 한 제휴사에서 한 번만 쓸 수 있습니다.',
    referenceMissing: '입금 번호를 입력해 주세요.',
    prepay: '미수금보다 많이 냈습니다(선입금)',
    ask: '기록 요청',
    reverse: '입금 취소하기',
    reverseWill: (amount: string, reference: string) =>
      `${reference} 입금 ${amount}을 취소합니다. 미수금이 그만큼 늘어나고, 이 번호는 다시 쓸 수 없습니다. 다른 사람이 승인하면 실행됩니다.`,
    askReverse: '취소 요청',
  },
  en: {
    book: 'Book a payment',
    bookWill:
      'Takes money that came in off what the partner owes. It is booked when another person approves it.',
    amount: 'Payment (won)',
    amountWrong: 'Enter an amount of 1 or more.',
    after: (before: string, after: string) => `Owes ${before} → ${after}`,
    prepaid: (before: string, after: string) => `Owes ${before} → prepaid ${after}`,
    reference: 'Reference',
    referenceHint: "What names the bank's transaction. A partner has each reference once.",
    referenceMissing: 'Enter a reference.',
    prepay: 'The partner paid more than it owes (prepaid)',
    ask: 'Ask to book it',
    reverse: 'Reverse the payment',
    reverseWill: (amount: string, reference: string) =>
      `Reverses the payment ${reference} of ${amount}. The partner owes that much more, and the reference cannot be used again. It happens when another person approves it.`,
    askReverse: 'Ask to reverse it',
  },
}

export function BookSheet({ partner, ...sheet }: SheetProps & { partner: PartnerPage }) {
  const texts = useTexts(TEXTS)
  const won = useWon()
  const [typed, setTyped] = useState('')
  // A reference is booked once, so asking twice books nothing twice.
  const [reference, setReference] = useState('')
  // Paying more than is owed may be a mistake. The tick says that it is meant, and both people see it.
  const [prepay, setPrepay] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const amount = Number(typed)
  const { owed } = partner
  const left = owed - amount
  const hint =
    amount > 0
      ? left < 0
        ? texts.prepaid(won(owed), won(-left))
        : texts.after(won(owed), won(left))
      : undefined
  return (
    <ActSheet
      {...sheet}
      // The fields keep their values for the next try, but not their errors.
      onClose={() => {
        setChecked(false)
        sheet.onClose()
      }}
      title={texts.book}
      explain={texts.bookWill}
      act={texts.ask}
      check={() => {
        setChecked(true)
        return amount > 0 && reference.trim() !== ''
      }}
      run={(reason) =>
        callApi('POST /partners/:code/payments', {
          params: { code: partner.code },
          body: { amount, reference, prepay, reason },
        })
      }
    >
      <Field
        label={texts.amount}
        inputMode="numeric"
        value={typed}
        // A pasted amount has commas or a currency sign. 15 digits are exact as a number of JavaScript.
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, '').slice(0, 15))}
        hint={hint}
        error={isChecked && amount < 1 ? texts.amountWrong : undefined}
      />
      <Field
        label={texts.reference}
        hint={texts.referenceHint}
        value={reference}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => setReference(event.target.value)}
        error={isChecked && reference.trim() === '' ? texts.referenceMissing : undefined}
      />
      <Checkbox label={texts.prepay} checked={prepay} onChange={(event) => setPrepay(event.target.checked)} />
    </ActSheet>
  )
}

interface ReverseProps extends Omit<SheetProps, 'open'> {
  code: string
  // Open while there is one.
  payment: PartnerPayment | undefined
}

export function ReverseSheet({ code, payment, ...sheet }: ReverseProps) {
  const texts = useTexts(TEXTS)
  const won = useWon()
  return (
    <ActSheet
      {...sheet}
      open={payment !== undefined}
      title={texts.reverse}
      look="sell"
      explain={payment && texts.reverseWill(won(payment.amount), payment.reference)}
      act={texts.askReverse}
      run={async (reason) => {
        // For the type: the sheet is open only while there is a payment.
        if (!payment) return null
        // A reference names one payment of a partner.
        const body = { reference: payment.reference, reason }
        return callApi('POST /partners/:code/payments/reverse', { params: { code }, body })
      }}
    />
  )
}
