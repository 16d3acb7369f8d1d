import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { ConsoleMetal, TermsEntry } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Disclosure } from '../../kit/disclosure.tsx'
import { change, shortDate, time, withCommas, won } from '../../kit/format.ts'
import { type Language, useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { type Column, DataTable } from '../shared/data-table.tsx'
import { duration } from '../shared/duration.ts'
import { lazyPart } from '../shared/lazy.tsx'
import { Section } from '../shared/page.tsx'
import { Badge, ExactMoment, Facts, Won } from '../shared/values.tsx'
import { TEXTS } from './metal-texts.ts'
import { METAL_NAMES, percentOf } from './words.ts'

const LineChart = lazyPart(() => import('../shared/line-chart.tsx'))

type MetalTexts = (typeof TEXTS)[Language]

interface Props {
  metal: ConsoleMetal
  onTerms?: () => void
  onPrice?: () => void
}

export function MetalSection({ metal, onTerms, onPrice }: Props) {
  const texts = useTexts(TEXTS)
  const names = useTexts(METAL_NAMES)
  const { language } = useLanguage()
  return (
    <Section
      title={names[metal.metal]}
      aside={<Badge look={metal.trading === 'open' ? 'good' : 'bad'}>{texts.states[metal.trading]}</Badge>}
    >
      <div className="flex flex-col gap-3">
        <Facts facts={factsOf(metal, texts, language)} />
        {/* Only those who may change prices get these functions. */}
        {onTerms && onPrice && (
          <div className="flex flex-wrap gap-2">
            <Button look="plain" size="small" onClick={onTerms}>
              {texts.changeTerms}
              {/* Both metals have the same buttons, so a screen reader also hears the metal. */}
              <span className="sr-only"> · {names[metal.metal]}</span>
            </Button>
            <Button look="plain" size="small" onClick={onPrice}>
              {texts.setPrice}
              <span className="sr-only"> · {names[metal.metal]}</span>
            </Button>
          </div>
        )}
        <PriceHistory metal={metal.metal} />
        <Disclosure summary={`${texts.history} · ${names[metal.metal]}`}>
          <TermsHistory history={metal.history} name={names[metal.metal]} />
        </Disclosure>
        <Disclosure summary={`${texts.hands} · ${names[metal.metal]}`}>
          <HandPrices metal={metal} name={names[metal.metal]} />
        </Disclosure>
      </div>
    </Section>
  )
}

function factsOf({ price, terms }: ConsoleMetal, texts: MetalTexts, language: Language) {
  const limit = duration(terms.maxAgeSeconds, language)
  return [
    ...(price
      ? [
          { name: texts.reference, value: <strong>{won(price.reference, language)}</strong> },
          { name: texts.ask, value: <Won amount={price.ask} /> },
          { name: texts.bid, value: <Won amount={price.bid} /> },
          {
            name: texts.day,
            // Without a price of the day before there is no change to show.
            value: change(price.reference - (price.dayBefore ?? price.reference), null, language) || '–',
          },
          {
            name: texts.age,
            value: (
              <>
                {duration(price.ageSeconds, language)} <span className="text-sub">{texts.of(limit)}</span>
              </>
            ),
          },
          // `operator` marks a price by hand, which two people gave.
          { name: texts.source, value: price.source === 'operator' ? texts.byHand : price.source },
        ]
      : [{ name: texts.reference, value: texts.none }]),
    { name: texts.spread, value: percentOf(terms.spreadBps) },
    { name: texts.fee, value: percentOf(terms.feeBps) },
    { name: texts.maxAge, value: limit },
  ]
}

const PERIODS = ['1d', '1w', '1m', '1y'] as const

function PriceHistory({ metal }: { metal: ConsoleMetal['metal'] }) {
  const texts = useTexts(TEXTS)
  const names = useTexts(METAL_NAMES)
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('1d')
  const { data, error, refetch } = useQuery({
    queryKey: ['prices', metal, period],
    queryFn: () => callApi('GET /prices/:metal/history', { params: { metal }, query: { period } }),
    refetchInterval: 60_000,
  })
  return (
    <div>
      <fieldset className="flex gap-1 pb-2">
        <legend className="sr-only">
          {texts.period} · {names[metal]}
        </legend>
        {PERIODS.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === period}
            onClick={() => setPeriod(one)}
            className="min-h-10 rounded-xl px-3 text-[0.9375rem] text-sub hover:bg-quiet aria-pressed:bg-quiet aria-pressed:font-semibold aria-pressed:text-ink"
          >
            {texts.periods[one]}
          </button>
        ))}
      </fieldset>
      {error && !data ? (
        <LoadError error={error} onRetry={refetch} />
      ) : data ? (
        <PriceChart metal={metal} points={data.points} isDay={period === '1d'} />
      ) : (
        <Loading />
      )}
    </div>
  )
}

interface Point {
  at: string
  wonPerGram: number
}

function PriceChart({
  metal,
  points,
  isDay,
}: {
  metal: ConsoleMetal['metal']
  points: readonly Point[]
  isDay: boolean
}) {
  const texts = useTexts(TEXTS)
  const names = useTexts(METAL_NAMES)
  const { language } = useLanguage()
  // The chart draws again for every new array, so it gets the same one until the points change.
  const xs = useMemo(() => points.map(({ at }) => Date.parse(at) / 1_000), [points])
  const series = useMemo(
    () => [
      {
        name: names[metal],
        values: points.map(({ wonPerGram }) => wonPerGram),
        colour: metal === 'XAU' ? ('gold' as const) : ('sub' as const),
      },
    ],
    [points, names, metal],
  )
  const tell = useCallback(
    (seconds: number) => (isDay ? time(seconds * 1_000) : shortDate(seconds * 1_000, language)),
    [isDay, language],
  )
  const columns: Column<Point>[] = [
    { key: 'at', title: texts.at, cell: ({ at }) => <ExactMoment at={at} /> },
    { key: 'price', title: texts.price, figure: true, cell: ({ wonPerGram }) => <Won amount={wonPerGram} /> },
  ]
  return (
    <>
      <LineChart label={texts.chart(names[metal])} xs={xs} series={series} tell={tell} format={withCommas} />
      <Disclosure summary={`${texts.table} · ${names[metal]}`}>
        <DataTable
          caption={`${texts.table} · ${names[metal]}`}
          columns={columns}
          rows={points.toReversed()}
          keyOf={({ at }) => at}
          empty={texts.none}
        />
      </Disclosure>
    </>
  )
}

function TermsHistory({ history, name }: { history: readonly TermsEntry[]; name: string }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const columns: Column<TermsEntry>[] = [
    { key: 'since', title: texts.since, cell: ({ at }) => <ExactMoment at={at} /> },
    {
      key: 'trading',
      title: texts.trading,
      cell: ({ stopped }) => (stopped ? texts.states.stopped : texts.states.open),
    },
    { key: 'spread', title: texts.spread, figure: true, cell: ({ spreadBps }) => percentOf(spreadBps) },
    { key: 'fee', title: texts.fee, figure: true, cell: ({ feeBps }) => percentOf(feeBps) },
    {
      key: 'age',
      title: texts.maxAge,
      figure: true,
      cell: ({ maxAgeSeconds }) => duration(maxAgeSeconds, language),
    },
    {
      key: 'by',
      title: texts.by,
      // Terms that cost buyers more hold by one person. Better ones took two, so both are named.
      cell: ({ setBy, askedBy }) => (askedBy === null ? setBy : texts.asked(askedBy, setBy)),
    },
    { key: 'why', title: texts.why, cell: ({ reason }) => reason ?? '–' },
  ]
  return (
    <DataTable
      caption={`${texts.history} · ${name}`}
      columns={columns}
      rows={history}
      keyOf={({ at }) => at}
      empty={texts.noHistory}
    />
  )
}

function HandPrices({ metal, name }: { metal: ConsoleMetal; name: string }) {
  const texts = useTexts(TEXTS)
  type Row = ConsoleMetal['byHand'][number]
  const columns: Column<Row>[] = [
    { key: 'at', title: texts.since, cell: ({ at }) => <ExactMoment at={at} /> },
    { key: 'price', title: texts.price, figure: true, cell: ({ wonPerGram }) => <Won amount={wonPerGram} /> },
    {
      key: 'by',
      title: texts.by,
      cell: ({ askedBy, approvedBy }) => texts.asked(askedBy, approvedBy ?? '–'),
    },
    { key: 'why', title: texts.why, cell: ({ reason }) => reason },
  ]
  return (
    <DataTable
      caption={`${texts.hands} · ${name}`}
      columns={columns}
      rows={metal.byHand}
      keyOf={({ at }) => at}
      empty={texts.noHands}
    />
  )
}
