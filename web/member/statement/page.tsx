import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Statement } from '../../../contract/member.gen.ts'
import { addressOf, ask, refusalOf } from '../../kit/api.ts'
import { Button, buttonClass, Chip } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { amountOf, date, moment, signedAmount } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { ASSETS, MOVEMENT_TEXTS } from '../../kit/movements.ts'
import { Card, Loading, Scroller, Trouble } from '../../kit/parts.tsx'
import { Heading, Screen } from '../../kit/screen.tsx'
import { SignedIn } from '../../kit/session.tsx'
import { isPeriodFine, type Period, PRESETS, periodOf } from './periods.ts'
import { TEXTS } from './texts.ts'

// For the screen, for a spreadsheet, and for paper: what is printed is this page without what is around it.
export default function StatementPage() {
  const texts = useTexts(TEXTS)
  return (
    <Screen title={texts.title} back wide>
      <SignedIn>{() => <Chooser />}</SignedIn>
    </Screen>
  )
}

function Chooser() {
  const texts = useTexts(TEXTS)
  const [period, setPeriod] = useState<Period>(() => periodOf('month', Date.now()))
  const fine = isPeriodFine(period)
  return (
    <>
      <div className="no-print flex flex-col gap-3">
        <Heading>{texts.title}</Heading>
        <div className="flex flex-wrap gap-2">
          {PRESETS.map((preset) => {
            const days = periodOf(preset, Date.now())
            return (
              <Chip
                key={preset}
                pressed={days.from === period.from && days.to === period.to}
                onClick={() => setPeriod(days)}
              >
                {texts[preset]}
              </Chip>
            )
          })}
        </div>
        <div className="flex flex-wrap gap-3 *:min-w-36 *:flex-1">
          <Field
            label={texts.from}
            type="date"
            value={period.from}
            max={period.to}
            onChange={(event) => setPeriod({ ...period, from: event.target.value })}
          />
          <Field
            label={texts.to}
            type="date"
            value={period.to}
            min={period.from}
            onChange={(event) => setPeriod({ ...period, to: event.target.value })}
          />
        </div>
        <p role="alert" className="text-sm text-up empty:sr-only">
          {fine ? '' : texts.badPeriod}
        </p>
      </div>
      {fine && <Paper period={period} />}
    </>
  )
}

function Paper({ period }: { period: Period }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const statement = useQuery({
    queryKey: ['statement', period],
    queryFn: () => ask('GET /statement', { query: period }),
  })
  if (statement.isPending) return <Loading lines={5} />
  if (statement.isError)
    return <Trouble refusal={refusalOf(statement.error)} onRetry={() => statement.refetch()} />
  return (
    <>
      <div className="no-print flex flex-wrap gap-2">
        <a
          href={addressOf('/statement.csv', {}, { ...period, lang: language })}
          download={`ingot-${period.from}-${period.to}.csv`}
          className={buttonClass('main', 'flex-1 basis-[9rem]')}
        >
          {texts.csv}
        </a>
        <Button look="quiet" className="flex-1 basis-[9rem]" onClick={() => window.print()}>
          {texts.print}
        </Button>
      </div>
      <Sheet statement={statement.data} />
    </>
  )
}

function Sheet({ statement }: { statement: Statement }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  return (
    <Card className="flex flex-col gap-4 print:p-0">
      <div>
        <h2 className="text-lg font-bold">{texts.heading(statement.name)}</h2>
        <p className="text-sub">
          {date(statement.from, language)} – {date(statement.to, language)}
        </p>
        <p className="text-sm text-sub">{texts.madeAt(moment(statement.madeAt, language))}</p>
      </div>
      <Balances statement={statement} />
      <Movements statement={statement} />
    </Card>
  )
}

const CELL = 'px-2 py-2'
// A phone has room for two columns: when and what is left stand below. Paper has room for all.
const WIDE = 'hidden sm:table-cell print:table-cell'
const NARROW = 'block sm:hidden print:hidden'

function Balances({ statement }: { statement: Statement }) {
  const { language } = useLanguage()
  const texts = useTexts(TEXTS)
  const names = useTexts(MOVEMENT_TEXTS)
  return (
    <Scroller label={texts.balances} className="-mx-2">
      <table className="w-full text-[0.9375rem]">
        <thead className="text-sub">
          <tr>
            <th scope="col" className={`${CELL} text-start font-medium`}>
              {texts.asset}
            </th>
            <th scope="col" className={`${CELL} text-end font-medium`}>
              {texts.opening}
            </th>
            <th scope="col" className={`${CELL} text-end font-medium`}>
              {texts.closing}
            </th>
          </tr>
        </thead>
        <tbody>
          {ASSETS.map((asset) => (
            <tr key={asset} className="border-t border-line">
              <th scope="row" className={`${CELL} text-start font-normal`}>
                {names[asset]}
              </th>
              <td className={`${CELL} text-end`}>
                {amountOf(asset, String(statement.opening[asset]), language)}
              </td>
              <td className={`${CELL} text-end font-semibold`}>
                {amountOf(asset, String(statement.closing[asset]), language)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}

function Movements({ statement }: { statement: Statement }) {
  const texts = useTexts(TEXTS)
  const names = useTexts(MOVEMENT_TEXTS)
  const { language } = useLanguage()
  if (statement.movements.length === 0) return <p className="py-4 text-sub">{texts.none}</p>
  const columns = [texts.at, texts.what, texts.change, names.balance]
  return (
    <Scroller label={texts.movements} className="-mx-2">
      <table className="w-full text-[0.9375rem] sm:min-w-[30rem] print:text-xs">
        <thead className="text-sub">
          <tr>
            {columns.map((column, i) => (
              <th
                key={column}
                scope="col"
                className={`${CELL} font-medium ${i < 2 ? 'text-start' : 'text-end'} ${i % 3 === 0 ? WIDE : ''}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {statement.movements.map((movement) => (
            <tr key={movement.id} className="border-t border-line align-top">
              <td className={`${CELL} ${WIDE} whitespace-nowrap`}>{moment(movement.at, language)}</td>
              <td className={CELL}>
                {names[movement.kind]} · {names[movement.asset]}
                {movement.partner && <span className="block text-sm text-sub">{movement.partner}</span>}
                <span className={`${NARROW} text-sm text-sub`}>{moment(movement.at, language)}</span>
              </td>
              <td className={`${CELL} text-end whitespace-nowrap`}>
                {signedAmount(movement.asset, movement.change, language)}
                <span className={`${NARROW} text-sm text-sub`}>
                  {names.balance} {amountOf(movement.asset, movement.balance, language)}
                </span>
              </td>
              <td className={`${CELL} ${WIDE} text-end whitespace-nowrap`}>
                {amountOf(movement.asset, movement.balance, language)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}
