import { useEffect, useState } from 'react'
import type { ListDefinition } from '../../../../contract/console.gen.ts'
import { withCommas } from '../../../kit/format.ts'
import { useLanguage, useTexts } from '../../../kit/language.tsx'
import { refusalOf } from '../api/refusal.ts'
import { sayRefusal } from '../api/refusal-texts.ts'
import { Moment, Won } from '../values.tsx'
import type { Query } from './address.ts'
import { useFigure } from './list-data.ts'

const TEXTS = {
  ko: {
    counting: '세는 중',
    rows: (count: string, isWhole: boolean) => `${count}건${isWhole ? '' : ' 이상'}`,
    exact: '정확히 세기',
    at: '기준',
  },
  en: {
    counting: 'Counting',
    rows: (count: string, isWhole: boolean) =>
      count === '1' ? '1 row' : `${count}${isWhole ? '' : '+'} rows`,
    exact: 'Count exactly',
    at: 'as of',
  },
}

// How many rows the filter has, and their sum: with the time and the unit. Beyond 10,000 the exact figure takes a request.
export function FigureLine({ definition, filters }: { definition: ListDefinition; filters: Query }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const [isExact, setExact] = useState(false)
  const key = JSON.stringify(filters)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is counted as usual
  useEffect(() => setExact(false), [key, definition.list])
  const { data, error } = useFigure(definition.list, filters, isExact)
  // In place of the figure only: the rows below are another request and stay.
  if (error) return <span>{sayRefusal(refusalOf(error), language)}</span>
  if (!data) return <span role="status">{texts.counting}</span>
  const sum = definition.sum?.[language]
  return (
    <span className="flex flex-wrap items-baseline gap-x-3">
      <strong className="text-body">{texts.rows(withCommas(data.count), data.whole)}</strong>
      {sum !== undefined && data.sum !== null && (
        <span>
          {sum} <Won amount={data.sum} />
        </span>
      )}
      {!data.whole && (
        <button type="button" onClick={() => setExact(true)} className="min-h-6 text-link hover:underline">
          {texts.exact}
        </button>
      )}
      <span className="text-sm">
        {/* English puts `as of` before the moment, Korean puts it behind. */}
        {language === 'en' && `${texts.at} `}
        <Moment at={data.at} />
        {language === 'ko' && ` ${texts.at}`}
      </span>
    </span>
  )
}
