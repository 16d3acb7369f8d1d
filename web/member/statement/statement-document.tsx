import type { IssuedStatement, Statement } from '../../../contract/member.gen.ts'
import { Card } from '../../kit/card.tsx'
import { date, moment } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { ScrollArea } from '../../kit/scroll-area.tsx'
import { ASSETS, amountOf, MOVEMENT_TEXTS, signedAmount } from '../shared/movements.ts'
import { IssueDetails } from './issue-details.tsx'
import { OrderTable } from './order-table.tsx'
import { TEXTS } from './texts.ts'

// The statement on screen and on paper. An issued one also names its issuer, number and check code.
export function StatementDocument({ statement, issued }: { statement: Statement; issued?: IssuedStatement }) {
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
      {issued && <IssueDetails issued={issued} />}
      <Balances statement={statement} />
      <OrderTable statement={statement} />
      <Movements statement={statement} />
    </Card>
  )
}

// Print has its own sizes: a statement fits A4.
const CELL = 'px-2 py-2 print:py-1'
// A phone has room for two columns: time and balance stand below the others. Paper has room for all.
const WIDE = 'hidden sm:table-cell print:table-cell'
const NARROW = 'block sm:hidden print:hidden'

// Every asset, also at zero: a reader sees that none is missing.
function Balances({ statement }: { statement: Statement }) {
  const { language } = useLanguage()
  const texts = useTexts(TEXTS)
  const names = useTexts(MOVEMENT_TEXTS)
  return (
    <ScrollArea label={texts.balances} className="-mx-2">
      <table className="w-full text-[0.9375rem] print:text-[9pt]">
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
    </ScrollArea>
  )
}

function Movements({ statement }: { statement: Statement }) {
  const texts = useTexts(TEXTS)
  const names = useTexts(MOVEMENT_TEXTS)
  const { language } = useLanguage()
  if (statement.movements.length === 0) return <p className="py-4 text-sub">{texts.none}</p>
  const columns = [texts.at, texts.what, texts.change, names.balance]
  return (
    <ScrollArea label={texts.movements} className="-mx-2">
      <h3 className="px-2 font-semibold break-after-avoid">{texts.movements}</h3>
      <table className="w-full text-[0.9375rem] sm:min-w-[30rem] print:text-[8.5pt]">
        <thead className="text-sub">
          <tr>
            {columns.map((column, i) => (
              <th
                key={column}
                scope="col"
                // The first and the last column, time and balance, are hidden on a phone.
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
                {movement.partner && (
                  <span className="block text-sm text-sub print:text-[8pt]">{movement.partner}</span>
                )}
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
    </ScrollArea>
  )
}
