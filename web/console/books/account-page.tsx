import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { AccountLine, AccountStatement } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { withCommas } from '../../kit/format.ts'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { DataTable } from '../shared/data-table.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Page, Section } from '../shared/page.tsx'
import { Badge, ExactMoment, Facts } from '../shared/values.tsx'
import { Amount, type Asset, asked, ToRows, useAssetName } from './parts.tsx'

const TEXTS = {
  ko: {
    title: (account: string) => `계정 명세 · ${account}`,
    asOf: '기준 시각',
    from: '시작일',
    show: '보기',
    opening: '시작 잔액',
    closing: '기준 시각 잔액',
    hint: '잔액은 대변에서 차변을 뺀 값입니다.',
    lines: '날짜와 종류별 움직임',
    day: '날짜',
    kind: '종류',
    debit: '차변',
    credit: '대변',
    rows: '원장 기록',
    count: (count: number) => `${withCommas(count)}건`,
    open: '일마감 전',
    late: (day: string) => `${day} 정정`,
    empty: '이 기간에 움직이지 않았습니다.',
    trial: '시산표',
  },
  en: {
    title: (account: string) => `Account · ${account}`,
    asOf: 'As of',
    from: 'From',
    show: 'Show',
    opening: 'Opening balance',
    closing: 'Balance at the moment',
    hint: 'A balance is credits less debits.',
    lines: 'Movements by day and kind',
    day: 'Day',
    kind: 'Kind',
    debit: 'Debit',
    credit: 'Credit',
    rows: 'Transfers',
    count: (count: number) => withCommas(count),
    open: 'not closed yet',
    late: (day: string) => `corrects ${day}`,
    empty: 'Nothing moved in this period.',
    trial: 'Trial balance',
  },
}

export default function AccountPage() {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const nameOf = useAssetName()
  const search = useSearch({ from: '/book-account' })
  const navigate = useNavigate()
  const { account = '', asset = 'KRW', partner, from, at } = search
  const { data, error, refetch } = useQuery({
    queryKey: ['book-account', search],
    queryFn: () =>
      callApi('GET /books/account', { query: asked({ account, asset: asset as Asset, partner, from, at }) }),
    retry: false,
  })
  const title = `${words(account)}${partner ? ` · ${partner}` : ''}`
  return (
    <Page
      title={texts.title(title)}
      sub={
        <>
          {nameOf(asset)}
          {data && (
            <>
              {' · '}
              {texts.asOf} <ExactMoment at={data.at} />
            </>
          )}
        </>
      }
      actions={
        <Link
          to="/trial-balance"
          // The trial balance of the same moment, so that both balances can be compared.
          search={at === undefined ? {} : { at }}
          className="min-h-6 px-1.5 text-link hover:underline"
        >
          {texts.trial}
        </Link>
      }
    >
      {error ? (
        <LoadError error={error} onRetry={refetch} />
      ) : data ? (
        <>
          <FromForm
            // Without a day in the address the service chooses one. The key puts it into the field.
            key={data.from}
            from={data.from}
            onShow={(day) => void navigate({ to: '/book-account', search: { ...search, from: day } })}
          />
          <Section title={title}>
            <Facts
              facts={[
                {
                  name: `${texts.opening} (${data.from})`,
                  value: <Amount asset={asset} amount={data.opening} />,
                },
                { name: texts.closing, value: <Amount asset={asset} amount={data.closing} /> },
              ]}
            />
            <p className="pt-2 text-sm text-sub">{texts.hint}</p>
          </Section>
          <Lines {...{ data, asset, account }} partner={partner} />
        </>
      ) : (
        <Loading lines={8} />
      )}
    </Page>
  )
}

function FromForm({ from, onShow }: { from: string; onShow(day: string): void }) {
  const texts = useTexts(TEXTS)
  const [typed, setTyped] = useState(from)
  return (
    <form
      className="no-print flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed !== '') onShow(typed)
      }}
    >
      <Field
        label={texts.from}
        type="date"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button size="small" type="submit" className="mb-3">
        {texts.show}
      </Button>
    </form>
  )
}

interface LinesProps {
  data: AccountStatement
  account: string
  asset: string
  partner: string | undefined
}

function Lines({ data, account, asset, partner }: LinesProps) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const which = { account, asset, partner }
  // A closed day has its rows by the day. Rows after the last close are asked for up to the moment of this page.
  const questionOf = ({ day, belongsTo, isClosed, kind }: AccountLine) =>
    isClosed ? { ...which, day, kind, belongsTo } : { ...which, at: data.at, kind, belongsTo }
  return (
    <Section title={texts.lines}>
      <DataTable
        caption={texts.lines}
        rows={data.lines}
        keyOf={({ day, kind, belongsTo, isClosed }) => `${day} ${kind} ${belongsTo} ${isClosed}`}
        empty={texts.empty}
        columns={[
          {
            key: 'day',
            title: texts.day,
            cell: ({ day, belongsTo, isClosed }) => (
              <>
                {isClosed ? (
                  <Link
                    to="/days/$day"
                    params={{ day }}
                    className="text-link underline decoration-line underline-offset-2"
                  >
                    {day}
                  </Link>
                ) : (
                  <>
                    {day} <Badge>{texts.open}</Badge>
                  </>
                )}
                {/* A closed day never changes. A late transfer is a line of a later day and names its own day. */}
                {belongsTo < day && <Badge look="warn">{texts.late(belongsTo)}</Badge>}
              </>
            ),
          },
          { key: 'kind', title: texts.kind, cell: ({ kind }) => words(kind) },
          {
            key: 'debit',
            title: texts.debit,
            figure: true,
            cell: ({ debit }) => <Amount asset={asset} amount={debit} zero={false} />,
          },
          {
            key: 'credit',
            title: texts.credit,
            figure: true,
            cell: ({ credit }) => <Amount asset={asset} amount={credit} zero={false} />,
          },
          {
            key: 'rows',
            title: texts.rows,
            figure: true,
            cell: (line) => <ToRows question={questionOf(line)}>{texts.count(line.transfers)}</ToRows>,
          },
        ]}
      />
    </Section>
  )
}
