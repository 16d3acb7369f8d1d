import { type ReactNode, useState } from 'react'
import type { CardPage, Payout, RefundQuote } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Field, Segments } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { date } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Sheet } from '../../kit/sheet.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { type Refusal, refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import type { SheetProps } from '../shared/object/preview-sheet.tsx'
import { Moment } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    title: '만료 상품권 환불하기',
    will: '누구에게 어떻게 환불할지 고르면 금액을 한 줄씩 보여 드립니다. 아직 아무것도 일어나지 않습니다.',
    member: '받을 회원',
    memberHint: '로그인 ID, 회원 ID 또는 계정 ID. 본인임을 먼저 확인해 주세요.',
    missing: '회원을 입력해 주세요.',
    payout: '지급 방법',
    points: '포인트',
    money: '예치금',
    quote: '금액 계산',
    face: '상품권 금액',
    rate: '정책이 돌려주는 비율',
    deduction: '공제 (원 미만 버림)',
    total: '환불액',
    policy: '환불 정책',
    policyOf: (version: string, from: string) => `${version} (${from}부터 산 상품권)`,
    until: '환불 신청 기한',
    holds: '이 금액의 유효 시각',
    waits: '다른 사람이 승인하면 회원에게 지급됩니다. 기다리는 동안 이 금액은 바뀌지 않습니다.',
    act: '환불 요청',
  },
  en: {
    title: 'Refund the expired card',
    will: 'Choose who gets it and how. The figures follow line by line. Nothing happens yet.',
    member: 'Member who gets it',
    memberHint: 'Login id, member id or account id. Make sure first who asks.',
    missing: 'Enter a member.',
    payout: 'Paid as',
    points: 'Points',
    money: 'Deposit',
    quote: 'Work it out',
    face: 'Amount of the card',
    rate: 'Share the policy gives back',
    deduction: 'Deduction (rounded down)',
    total: 'Refund',
    policy: 'Refund policy',
    policyOf: (version: string, from: string) => `${version} (cards bought from ${from})`,
    until: 'Refundable until',
    holds: 'These figures hold until',
    waits: 'The member gets it when another person approves it. Until then the figures stand.',
    act: 'Ask for the refund',
  },
}

// First the figures, which hold for some minutes. Then the request, which a second person approves.
export function RefundSheet({ card, open, onClose, onDone }: SheetProps & { card: CardPage }) {
  const texts = useTexts(TEXTS)
  const [quote, setQuote] = useState<RefundQuote>()
  // The figures hold for some minutes only, so the next opening asks for new ones.
  function close() {
    setQuote(undefined)
    onClose()
  }
  // Two sheets, because the request names the quote: what the first person saw is what the second approves.
  if (!quote) return <QuoteSheet {...{ card, open }} onClose={close} onQuote={setQuote} />
  return (
    <ActSheet
      open={open}
      onClose={close}
      onDone={onDone}
      title={texts.title}
      explain={<Lines quote={quote} />}
      act={texts.act}
      run={(reason) =>
        callApi('POST /refund-quotes/:quoteId/refund', {
          params: { quoteId: quote.quoteId },
          body: { reason },
        })
      }
    />
  )
}

interface QuoteProps {
  card: CardPage
  open: boolean
  onClose(): void
  onQuote(quote: RefundQuote): void
}

function QuoteSheet({ card, open, onClose, onQuote }: QuoteProps) {
  const texts = useTexts(TEXTS)
  const [member, setMember] = useState('')
  const [payout, setPayout] = useState<Payout>('points')
  const [missing, setMissing] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  async function submit() {
    setMissing(member.trim() === '')
    if (busy || member.trim() === '') return
    setBusy(true)
    setRefusal(undefined)
    try {
      const body = { member: member.trim(), payout }
      // No proof is needed here: a quote gives nobody anything.
      onQuote(await callApi('POST /cards/:cardId/refund-quotes', { params: { cardId: card.giftId }, body }))
    } catch (error) {
      setRefusal(refusalOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Sheet
      {...{ open, onClose }}
      title={texts.title}
      actions={
        <Button busy={busy} form="refund-quote" type="submit">
          {texts.quote}
        </Button>
      }
    >
      <Form id="refund-quote" onSubmit={submit}>
        <p className="text-body">{texts.will}</p>
        <Field
          label={texts.member}
          hint={texts.memberHint}
          value={member}
          maxLength={64}
          autoComplete="off"
          onChange={(event) => setMember(event.target.value)}
          error={missing ? texts.missing : undefined}
        />
        <Segments<Payout>
          legend={texts.payout}
          value={payout}
          options={[
            { value: 'points', label: texts.points },
            { value: 'money', label: texts.money },
          ]}
          onChange={setPayout}
        />
        <RefusalMessage refusal={refusal} />
      </Form>
    </Sheet>
  )
}

function Lines({ quote }: { quote: RefundQuote }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const won = useWon()
  const { memberId, name, loginId } = quote.member
  const lines: [name: string, value: ReactNode][] = [
    [texts.face, won(quote.face)],
    [texts.rate, `${quote.percent}%`],
    [texts.deduction, `−${won(quote.deduction)}`],
    [texts.total, <b key="total">{`${won(quote.total)} · ${texts[quote.payout]}`}</b>],
    [
      texts.member,
      <ObjectLink key="member" kind="member" id={memberId}>
        {[name, loginId].filter(Boolean).join(' ') || memberId}
      </ObjectLink>,
    ],
    [texts.policy, texts.policyOf(quote.policy, date(quote.policyFrom, language))],
    [texts.until, date(quote.refundableUntil, language)],
    [texts.holds, <Moment key="holds" at={quote.expiresAt} />],
  ]
  return (
    <div className="flex flex-col gap-3">
      <dl className="flex flex-col">
        {lines.map(([label, value]) => (
          <div key={label} className="flex flex-wrap justify-between gap-x-4 border-b border-line py-1.5">
            <dt className="text-sub">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>{texts.waits}</p>
    </div>
  )
}
