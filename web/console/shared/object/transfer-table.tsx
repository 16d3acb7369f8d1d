import type { Transfer, TransferAccount } from '../../../../contract/console.gen.ts'
import { grams, points, won } from '../../../kit/format.ts'
import { useLanguage, useTexts } from '../../../kit/language.tsx'
import { DataTable } from '../data-table.tsx'
import { ExactMoment } from '../values.tsx'
import { ObjectLink } from './object-link.tsx'
import { useWords } from './value-words.ts'

const TEXTS = {
  ko: {
    title: '자금 이동',
    at: '시각',
    kind: '종류',
    amount: '금액',
    from: '나간 계정',
    to: '들어온 계정',
    empty: '움직인 돈이 없습니다.',
  },
  en: {
    title: 'Money',
    at: 'Time',
    kind: 'Kind',
    amount: 'Amount',
    from: 'From account',
    to: 'To account',
    empty: 'Nothing has moved.',
  },
}

// What moved, with both accounts. Each leads to whose it is.
export function TransferTable({ transfers }: { transfers: readonly Transfer[] }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  return (
    <DataTable
      caption={texts.title}
      rows={transfers}
      keyOf={({ id }) => id}
      empty={texts.empty}
      columns={[
        { key: 'at', title: texts.at, cell: ({ at }) => <ExactMoment at={at} /> },
        { key: 'kind', title: texts.kind, cell: ({ kind }) => words(kind) },
        { key: 'amount', title: texts.amount, figure: true, cell: (transfer) => <Figure {...transfer} /> },
        { key: 'from', title: texts.from, cell: ({ from }) => <Account {...from} /> },
        { key: 'to', title: texts.to, cell: ({ to }) => <Account {...to} /> },
      ]}
    />
  )
}

function Figure({ asset, amount }: Pick<Transfer, 'asset' | 'amount'>) {
  const { language } = useLanguage()
  const words = useWords()
  // Points cannot be withdrawn, so they must not look like won.
  if (asset === 'KRW_POINT') return <span className="whitespace-nowrap">{points(Number(amount))}</span>
  if (asset === 'KRW') return <span className="whitespace-nowrap">{won(Number(amount), language)}</span>
  return (
    <span className="whitespace-nowrap">
      {words(asset)} {grams(amount)}
    </span>
  )
}

function Account({ kind, owner }: TransferAccount) {
  const words = useWords()
  return (
    <span>
      {words(kind)}
      {owner && (
        <>
          {' '}
          <ObjectLink {...owner} />
        </>
      )}
    </span>
  )
}
