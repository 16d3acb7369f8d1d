import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { TrialAsset } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { AlertNote } from '../../kit/note.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { DataTable } from '../shared/data-table.tsx'
import { Page, Section } from '../shared/page.tsx'
import { ExactMoment } from '../shared/values.tsx'
import { Amount, ToAccount, useAssetName } from './parts.tsx'

const TEXTS = {
  ko: {
    title: '시산표',
    asOf: '기준 시각',
    upTo: (id: string) => `원장 ${id}번까지`,
    since: (day: string) => `${day} 일마감에서 이어 계산`,
    moment: '기준 시각 (서울)',
    show: '보기',
    now: '지금',
    account: '계정',
    debit: '차변',
    credit: '대변',
    all: '합계',
    uneven: '차변과 대변이 다릅니다. ingot verify 명령을 실행해 주세요.',
    empty: '아직 움직인 것이 없습니다.',
  },
  en: {
    title: 'Trial balance',
    asOf: 'As of',
    upTo: (id: string) => `up to transfer ${id}`,
    since: (day: string) => `from the close of ${day}`,
    moment: 'Moment (Seoul)',
    show: 'Show',
    now: 'Now',
    account: 'Account',
    debit: 'Debit',
    credit: 'Credit',
    all: 'All',
    uneven: 'Debits and credits differ. Run ingot verify.',
    empty: 'Nothing has moved yet.',
  },
}

// A browser's local field as a moment in Seoul, and back.
// Seoul has no summer time, so a fixed offset is enough.
const toMoment = (typed: string) => `${typed.slice(0, 16)}:00+09:00`
const toTyped = (at: string | undefined) =>
  at === undefined ? '' : new Date(new Date(at).getTime() + 9 * 3_600_000).toISOString().slice(0, 16)

function MomentForm({ at, onShow }: { at: string | undefined; onShow(at: string | undefined): void }) {
  const texts = useTexts(TEXTS)
  const [typed, setTyped] = useState(toTyped(at))
  return (
    <form
      className="no-print flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        // An empty field means now.
        onShow(typed === '' ? undefined : toMoment(typed))
      }}
    >
      <Field
        label={texts.moment}
        type="datetime-local"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button size="small" type="submit" className="mb-3">
        {texts.show}
      </Button>
      <Button
        size="small"
        look="quiet"
        className="mb-3"
        onClick={() => {
          setTyped('')
          onShow(undefined)
        }}
      >
        {texts.now}
      </Button>
    </form>
  )
}

export default function TrialBalancePage() {
  const texts = useTexts(TEXTS)
  const { at } = useSearch({ from: '/trial-balance' })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    queryKey: ['trial-balance', at],
    queryFn: () => callApi('GET /books/trial-balance', { query: at === undefined ? {} : { at } }),
    retry: false,
  })
  const isUneven = data?.assets.some(({ isEven }) => !isEven) ?? false
  return (
    <Page
      title={texts.title}
      sub={
        data && (
          <>
            {texts.asOf} <ExactMoment at={data.at} /> · {texts.upTo(data.position)}
            {data.from && ` · ${texts.since(data.from)}`}
          </>
        )
      }
    >
      <MomentForm
        at={at}
        onShow={(moment) =>
          void navigate({ to: '/trial-balance', search: moment === undefined ? {} : { at: moment } })
        }
      />
      <AlertNote look="bad">{isUneven ? texts.uneven : undefined}</AlertNote>
      {error ? (
        <LoadError error={error} onRetry={refetch} />
      ) : data ? (
        data.assets.length === 0 ? (
          <p className="text-sub">{texts.empty}</p>
        ) : (
          data.assets.map((asset) => <AssetTable key={asset.asset} of={asset} at={data.at} />)
        )
      ) : (
        <Loading lines={8} />
      )}
    </Page>
  )
}

// Links carry the moment of the answer, so the account's page shows the same balance.
function AssetTable({ of, at }: { of: TrialAsset; at: string }) {
  const texts = useTexts(TEXTS)
  const nameOf = useAssetName()
  const { asset, accounts, debit, credit } = of
  const rows = [
    ...accounts.map((one) => ({ ...one, key: `${one.account} ${one.partner ?? ''}`, isSum: false })),
    { key: 'all', account: '', partner: null, debit, credit, isSum: true },
  ]
  const amount = (value: string, isSum: boolean) => (
    <span className={isSum ? 'font-bold' : ''}>
      {/* A zero is noise beside an account. Totals always show, because they are compared. */}
      <Amount asset={asset} amount={value} zero={isSum} />
    </span>
  )
  return (
    <Section title={nameOf(asset)}>
      <DataTable
        caption={nameOf(asset)}
        rows={rows}
        keyOf={({ key }) => key}
        empty={texts.empty}
        columns={[
          {
            key: 'account',
            title: texts.account,
            cell: ({ account, partner, isSum }) =>
              isSum ? (
                <span className="font-bold">{texts.all}</span>
              ) : (
                <ToAccount {...{ account, asset, partner, at }} />
              ),
          },
          { key: 'debit', title: texts.debit, figure: true, cell: (one) => amount(one.debit, one.isSum) },
          { key: 'credit', title: texts.credit, figure: true, cell: (one) => amount(one.credit, one.isSum) },
        ]}
      />
    </Section>
  )
}
