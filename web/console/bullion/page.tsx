import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BullionTrade, HedgeGap, WaitingBullion } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { grams } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Note } from '../../kit/note.tsx'
import { Amount, ToAccount } from '../books/parts.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { duration } from '../shared/duration.ts'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { Page, Section, Sections } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { useMay } from '../shared/session.ts'
import { Badge, ExactMoment, Facts, Moment, Won } from '../shared/values.tsx'
import { BullionSheet } from './bullion-sheet.tsx'

const TEXTS = {
  ko: {
    title: '실물 귀금속',
    asOf: '기준 시각',
    record: '매매 등록',
    metals: { XAU: '금', XAG: '은' },
    members: '회원 보유',
    house: '회사 보유',
    gap: '부족',
    surplus: '여유',
    gapWon: '부족 금액',
    surplusWon: '여유 금액',
    price: '1g당 시세',
    age: (text: string) => `${text} 전`,
    noPrice: '시세 없음',
    trades: '매매 기록',
    none: '등록한 매매가 없습니다.',
    at: '기록한 때',
    side: '구분',
    sides: { buy: '구매', sell: '판매' },
    metal: '금속',
    amount: '중량',
    won: '금액',
    reference: '거래 번호',
    request: '요청',
    waiting: '승인을 기다리는 매매가 있습니다.',
  },
  en: {
    title: 'Bullion of the house',
    asOf: 'As of',
    record: 'Record a trade',
    metals: { XAU: 'Gold', XAG: 'Silver' },
    members: 'Held for members',
    house: 'Held by the house',
    gap: 'Short by',
    surplus: 'Surplus',
    gapWon: 'Short in won',
    surplusWon: 'Surplus in won',
    price: 'Price per gram',
    age: (text: string) => `${text} old`,
    noPrice: 'no price',
    trades: 'Purchases and sales',
    none: 'No trade is recorded yet.',
    at: 'Booked at',
    side: 'Side',
    sides: { buy: 'bought', sell: 'sold' },
    metal: 'Metal',
    amount: 'Weight',
    won: 'Won',
    reference: 'Reference',
    request: 'Request',
    waiting: 'Trades wait for a second person.',
  },
}

export default function BullionPage() {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [open, setOpen] = useState(false)
  const { data, error, refetch } = useQuery({ queryKey: ['bullion'], queryFn: () => callApi('GET /bullion') })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={8} />
  return (
    <Page
      title={texts.title}
      sub={
        <>
          {texts.asOf} <ExactMoment at={data.at} />
        </>
      }
      actions={
        may('bullion.request') && (
          <Button size="small" onClick={() => setOpen(true)}>
            {texts.record}
          </Button>
        )
      }
    >
      {data.waiting.length > 0 && <Waiting requests={data.waiting} />}
      <Sections>
        {data.hedges.map((hedge) => (
          <MetalSection key={hedge.metal} hedge={hedge} />
        ))}
      </Sections>
      <Section title={texts.trades}>
        <TradeTable trades={data.trades} />
      </Section>
      {open && <BullionSheet onClose={() => setOpen(false)} onDone={() => void refetch()} />}
    </Page>
  )
}

function Waiting({ requests }: { requests: readonly WaitingBullion[] }) {
  const texts = useTexts(TEXTS)
  return (
    <Note>
      {texts.waiting}{' '}
      {requests.map(({ id, reference }) => (
        <span key={id} className="me-2">
          <ObjectLink kind="request" id={id}>
            {reference}
          </ObjectLink>
        </span>
      ))}
    </Note>
  )
}

// Both figures lead to their accounts.
function MetalSection({ hedge }: { hedge: HedgeGap }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { metal, gap, gapWon, wonPerGram, priceAgeSeconds } = hedge
  // The gap is exact text, in grams. Below zero, the house holds more than its members.
  const isShort = !gap.startsWith('-') && gap !== '0.0000'
  const size = <Amount asset={metal} amount={gap.replace('-', '')} />
  return (
    <Section title={texts.metals[metal]}>
      <Facts
        facts={[
          {
            name: texts.members,
            value: (
              <>
                {grams(hedge.members)} · <ToAccount account="holding" asset={metal} partner={null} />
              </>
            ),
          },
          {
            name: texts.house,
            value: (
              <>
                {grams(hedge.house)} · <ToAccount account="inventory" asset={metal} partner={null} />
              </>
            ),
          },
          {
            name: isShort ? texts.gap : texts.surplus,
            value: isShort ? <Badge look="warn">{size}</Badge> : size,
          },
          {
            name: isShort ? texts.gapWon : texts.surplusWon,
            // The name of the line says the direction, so the figure needs no sign.
            value: gapWon === null ? texts.noPrice : <Won amount={Math.abs(gapWon)} />,
          },
          // The gap in won is only as good as this price, so its age stands beside it.
          {
            name: texts.price,
            value:
              wonPerGram === null ? (
                texts.noPrice
              ) : (
                <>
                  <Won amount={wonPerGram} />{' '}
                  <span className="text-sub">({texts.age(duration(priceAgeSeconds ?? 0, language))})</span>
                </>
              ),
          },
        ]}
      />
    </Section>
  )
}

function TradeTable({ trades }: { trades: readonly BullionTrade[] }) {
  const texts = useTexts(TEXTS)
  return (
    <DataTable
      caption={texts.trades}
      rows={trades}
      keyOf={({ id }) => id}
      empty={texts.none}
      columns={[
        { key: 'at', title: texts.at, cell: ({ at }) => <Moment at={at} /> },
        { key: 'side', title: texts.side, cell: ({ side }) => texts.sides[side] },
        { key: 'metal', title: texts.metal, cell: ({ metal }) => texts.metals[metal] },
        { key: 'grams', title: texts.amount, figure: true, cell: (trade) => grams(trade.grams) },
        { key: 'won', title: texts.won, figure: true, cell: ({ won }) => <Won amount={won} /> },
        { key: 'reference', title: texts.reference, cell: ({ reference }) => reference },
        {
          key: 'request',
          title: texts.request,
          cell: ({ id }) => <ObjectLink kind="request" id={id} />,
        },
      ]}
    />
  )
}
