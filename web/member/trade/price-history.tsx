import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Metal, PriceHistory } from '../../../contract/member.gen.ts'
import { Segments } from '../../kit/field.tsx'
import { moment } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { ScrollArea } from '../../kit/scroll-area.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { lazyPart } from '../shared/lazy.tsx'
import { TEXTS } from './texts.ts'

const PriceChart = lazyPart(
  () => import('./price-chart.tsx'),
  <div aria-hidden="true" className="skeleton h-[200px]" />,
)

const PERIODS = ['1d', '1w', '1m', '1y'] as const
type Period = (typeof PERIODS)[number]
// New points come once a minute.
const AGE_MS = 60_000

// Past prices as a chart or as a table, from the same numbers.
export function PriceHistoryChart({ metal }: { metal: Metal }) {
  const texts = useTexts(TEXTS)
  const [period, setPeriod] = useState<Period>('1d')
  const [asTable, setAsTable] = useState(false)
  const history = useQuery({
    queryKey: ['price-history', metal, period],
    queryFn: () => callApi('GET /prices/:metal/history', { params: { metal }, query: { period } }),
    // The old chart stays until the new period is there, so that the page does not jump.
    placeholderData: keepPreviousData,
    staleTime: AGE_MS,
    refetchInterval: AGE_MS,
  })
  return (
    <div className="mt-4 flex flex-col gap-3">
      {history.isPending && <div aria-hidden="true" className="skeleton h-[200px]" />}
      {history.isError && <LoadError refusal={refusalOf(history.error)} onRetry={() => history.refetch()} />}
      {history.data && <ChartOrTable {...{ history: history.data, metal, asTable }} />}
      <Segments<Period>
        hideLegend
        legend={texts.period}
        value={period}
        options={PERIODS.map((value) => ({ value, label: texts[value] }))}
        onChange={(value) => setPeriod(value)}
      />
      <button
        type="button"
        onClick={() => setAsTable(!asTable)}
        className="min-h-12 self-center rounded-xl px-3 text-[0.9375rem] text-sub underline hover:text-ink"
      >
        {asTable ? texts.chart : texts.table}
      </button>
    </div>
  )
}

function ChartOrTable({
  history,
  metal,
  asTable,
}: {
  history: PriceHistory
  metal: Metal
  asTable: boolean
}) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  // A single point makes no line.
  if (history.points.length < 2) return <p className="py-12 text-center text-sub">{texts.noHistory}</p>
  if (asTable) return <Table history={history} />
  const all = history.points.map((point) => point.wonPerGram)
  const label = texts.chartLabel(texts[metal], won(Math.min(...all)), won(Math.max(...all)))
  return <PriceChart history={history} label={label} />
}

// The chart's numbers for a reader who cannot see it. The newest come first.
function Table({ history }: { history: PriceHistory }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  return (
    <ScrollArea label={texts.price} className="max-h-72 rounded-xl border border-line">
      <table className="w-full text-[0.9375rem]">
        <thead className="sticky top-0 bg-ground text-sub">
          <tr>
            <th scope="col" className="px-3 py-2 text-start font-medium">
              {texts.at}
            </th>
            <th scope="col" className="px-3 py-2 text-end font-medium">
              {texts.price}
            </th>
          </tr>
        </thead>
        <tbody>
          {history.points.toReversed().map(({ at, wonPerGram }) => (
            <tr key={at} className="border-t border-line">
              <td className="px-3 py-2">{moment(at, language)}</td>
              <td className="px-3 py-2 text-end font-medium">{won(wonPerGram)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
