import type { CardRefund } from '../../../contract/console.gen.ts'
import { useTexts } from '../../kit/language.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { Section } from '../shared/page.tsx'
import { CopyId, Facts, Moment, Won } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    title: '환불',
    sum: '상품권 금액 − 공제 = 환불액',
    id: '환불 ID',
    at: '환불',
    member: '받은 회원',
    payout: '지급 방법',
    points: '포인트',
    money: '예치금',
    policy: '환불 정책',
    face: '상품권 금액',
    percent: '비율',
    deduction: '공제',
    total: '환불액',
  },
  en: {
    title: 'Refund',
    sum: 'amount − deduction = refund',
    id: 'Refund id',
    at: 'Refunded',
    member: 'Member who got it',
    payout: 'Paid as',
    points: 'Points',
    money: 'Deposit',
    policy: 'Refund policy',
    face: 'Amount of the card',
    percent: 'Share',
    deduction: 'Deduction',
    total: 'Refund',
  },
}

// How the refund came about, line by line.
export function Refunded({ refund }: { refund: CardRefund }) {
  const texts = useTexts(TEXTS)
  return (
    <Section title={texts.title} aside={texts.sum}>
      <Facts
        facts={[
          { name: texts.face, value: <Won amount={refund.face} /> },
          { name: texts.percent, value: `${refund.percent}%` },
          { name: texts.deduction, value: <Won amount={refund.deduction} /> },
          { name: texts.total, value: <Won amount={refund.total} /> },
          { name: texts.payout, value: texts[refund.payout] },
          { name: texts.member, value: <ObjectLink kind="member" id={refund.memberId} /> },
          { name: texts.policy, value: refund.policy },
          { name: texts.at, value: <Moment at={refund.at} /> },
          { name: texts.id, value: <CopyId id={refund.id} label={texts.id} /> },
        ]}
      />
    </Section>
  )
}
