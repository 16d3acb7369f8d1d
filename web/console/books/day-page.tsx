import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { CardEquation, DayAccount, DayLine, DescribedDay } from '../../../contract/console.gen.ts'
import { withCommas } from '../../kit/format.ts'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { CopyId, Facts, Moment } from '../shared/values.tsx'
import { Amount, ToAccount, ToRows, useAssetName } from './parts.tsx'

const TEXTS = {
  ko: {
    title: (day: string) => `일마감 ${day}`,
    summary: '요약',
    closedAt: '마감한 때',
    by: '마감한 이',
    movements: '움직임',
    corrections: '정정',
    through: '마지막 원장 번호',
    hash: '해시',
    cards: '상품권 (원)',
    all: '전체',
    partner: '제휴사',
    parts: {
      opening: '시작',
      issued: '발행',
      used: '사용',
      voided: '취소',
      refunded: '환불',
      expired: '만료',
      other: '기타',
      closing: '끝',
    },
    accounts: '계정',
    account: '계정',
    asset: '자산',
    debit: '차변',
    credit: '대변',
    late: '이전 날의 정정',
    belongsTo: '속한 날',
    kind: '종류',
    empty: '움직인 것이 없습니다.',
  },
  en: {
    title: (day: string) => `Closed day ${day}`,
    summary: 'Summary',
    closedAt: 'Closed at',
    by: 'By',
    movements: 'Movements',
    corrections: 'Corrections',
    through: 'Last transfer',
    hash: 'Hash',
    cards: 'Cards (won)',
    all: 'All',
    partner: 'Partner',
    parts: {
      opening: 'Start',
      issued: 'Issued',
      used: 'Used',
      voided: 'Voided',
      refunded: 'Refunded',
      expired: 'Expired',
      other: 'Other',
      closing: 'End',
    },
    accounts: 'Accounts',
    account: 'Account',
    asset: 'Asset',
    debit: 'Debit',
    credit: 'Credit',
    late: 'Corrections of earlier days',
    belongsTo: 'Belongs to',
    kind: 'Kind',
    empty: 'Nothing moved.',
  },
}

export default function DayPage() {
  const texts = useTexts(TEXTS)
  const { day } = useParams({ from: '/days/$day' })
  const { data, error, refetch } = useQuery({
    queryKey: ['closed-day', day],
    queryFn: () => callApi('GET /books/days/:day', { params: { day } }),
    retry: false,
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={8} />
  // Transfers that came after their own day was closed. This day covers them instead.
  const late = data.lines.filter(({ belongsTo }) => belongsTo < day)
  return (
    <Page title={texts.title(day)}>
      <Section title={texts.summary}>
        <Facts
          facts={[
            { name: texts.closedAt, value: <Moment at={data.closedAt} /> },
            { name: texts.by, value: data.closedBy },
            {
              name: texts.movements,
              value: <ToRows question={{ day }}>{withCommas(data.movements)}</ToRows>,
            },
            { name: texts.corrections, value: withCommas(data.corrections) },
            { name: texts.through, value: data.throughId },
            { name: texts.hash, value: <CopyId id={data.hash} label={texts.hash} /> },
          ]}
        />
      </Section>
      <Section title={texts.cards}>
        <CardTable data={data} />
      </Section>
      <Section title={texts.accounts}>
        <AccountTable data={data} />
      </Section>
      {late.length > 0 && (
        <Section title={texts.late}>
          <LateTable day={day} lines={late} />
        </Section>
      )}
    </Page>
  )
}

type Part = Exclude<keyof CardEquation, 'partner'>
// A balance is no movement, so opening, closing and the rest lead to no transfers.
const PARTS: readonly [part: Part, kind: string | undefined][] = [
  ['opening', undefined],
  ['issued', 'issue'],
  ['used', 'redeem'],
  ['voided', 'void'],
  ['refunded', 'refund'],
  ['expired', 'expire'],
  ['other', undefined],
  ['closing', undefined],
]

// Each movement leads to its transfers.
function CardTable({ data }: { data: DescribedDay }) {
  const texts = useTexts(TEXTS)
  const { day, cards } = data
  return (
    <DataTable
      caption={texts.cards}
      rows={cards}
      // The first row is the total of all partners.
      keyOf={(one) => (one === cards[0] ? 'all' : `of ${one.partner}`)}
      empty={texts.empty}
      columns={[
        { key: 'partner', title: texts.partner, cell: ({ partner }) => partner ?? texts.all },
        ...PARTS.map(([part, kind]) => ({
          key: part,
          title: texts.parts[part],
          figure: true,
          cell: (one: CardEquation) => {
            const shown = <Amount asset="KRW" amount={one[part]} />
            if (kind === undefined || one[part] === '0') return shown
            // Cards that can still be used are one account of the ledger, so its transfers are their movements.
            const question = { day, kind, account: 'outstanding_cards', partner: one.partner ?? undefined }
            return <ToRows question={question}>{shown}</ToRows>
          },
        })),
      ]}
    />
  )
}

function AccountTable({ data }: { data: DescribedDay }) {
  const texts = useTexts(TEXTS)
  const nameOf = useAssetName()
  const { day } = data
  const amount = (one: DayAccount, side: 'debit' | 'credit') => {
    const shown = <Amount asset={one.asset} amount={one[side]} zero={false} />
    const { account, asset, partner } = one
    // Zero is `0` in won and `0.0000` in grams.
    if (/^0(?:\.0+)?$/.test(one[side])) return null
    return <ToRows question={{ day, account, asset, partner: partner ?? undefined }}>{shown}</ToRows>
  }
  return (
    <DataTable
      caption={texts.accounts}
      rows={data.accounts}
      keyOf={({ account, asset, partner }) => `${account} ${asset} ${partner}`}
      empty={texts.empty}
      columns={[
        {
          key: 'account',
          title: texts.account,
          cell: ({ account, asset, partner }) => <ToAccount {...{ account, asset, partner }} />,
        },
        { key: 'asset', title: texts.asset, cell: ({ asset }) => nameOf(asset) },
        {
          key: 'opening',
          title: texts.parts.opening,
          figure: true,
          cell: ({ asset, opening }) => <Amount {...{ asset }} amount={opening} />,
        },
        { key: 'debit', title: texts.debit, figure: true, cell: (one) => amount(one, 'debit') },
        { key: 'credit', title: texts.credit, figure: true, cell: (one) => amount(one, 'credit') },
        {
          key: 'closing',
          title: texts.parts.closing,
          figure: true,
          cell: ({ asset, closing }) => <Amount {...{ asset }} amount={closing} />,
        },
      ]}
    />
  )
}

function LateTable({ day, lines }: { day: string; lines: readonly DayLine[] }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  return (
    <DataTable
      caption={texts.late}
      rows={lines}
      // A line has no id of its own. These parts together name it.
      keyOf={({ belongsTo, account, asset, partner, kind }) =>
        `${belongsTo} ${account} ${asset} ${partner} ${kind}`
      }
      empty={texts.empty}
      columns={[
        { key: 'belongs', title: texts.belongsTo, cell: ({ belongsTo }) => belongsTo },
        {
          key: 'account',
          title: texts.account,
          cell: ({ account, asset, partner }) => <ToAccount {...{ account, asset, partner }} />,
        },
        {
          key: 'kind',
          title: texts.kind,
          cell: ({ kind, belongsTo, account, asset }) => (
            <ToRows question={{ day, kind, belongsTo, account, asset }}>{words(kind)}</ToRows>
          ),
        },
        {
          key: 'debit',
          title: texts.debit,
          figure: true,
          cell: ({ asset, debit }) => <Amount {...{ asset }} amount={debit} zero={false} />,
        },
        {
          key: 'credit',
          title: texts.credit,
          figure: true,
          cell: ({ asset, credit }) => <Amount {...{ asset }} amount={credit} zero={false} />,
        },
      ]}
    />
  )
}
