import { Link } from '@tanstack/react-router'
import type { Order } from '../../../contract/member.gen.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { don, grams, points } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Result } from '../../kit/result.tsx'
import { Rows } from '../../kit/rows.tsx'
import { IN_WEB_VIEW } from '../shared/environment.ts'
import { MemberLayout } from '../shared/member-layout.tsx'
import { TEXTS } from './texts.ts'

export function OrderPlaced({ order, onMore }: { order: Order; onMore(): void }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const title = order.side === 'buy' ? texts.bought(texts[order.metal]) : texts.sold(texts[order.metal])
  const all = [
    { name: texts.fromPoints, amount: order.fromPoints, value: points(order.fromPoints) },
    { name: texts.fromDeposit, amount: order.fromDeposit, value: won(order.fromDeposit) },
    { name: texts.toDeposit, amount: order.side === 'sell' ? order.total : 0, value: won(order.total) },
  ]
  // Most orders use one source of money: the others would only be zeros.
  const parts = all.filter(({ amount }) => amount > 0).map(({ name, value }) => ({ name, value }))
  return (
    <MemberLayout title={title}>
      <Result
        title={title}
        figure={won(order.total)}
        actions={
          <>
            <Link to={IN_WEB_VIEW ? '/' : '/assets'} className={buttonClass()}>
              {texts.assets}
            </Link>
            <Button look="quiet" onClick={onMore}>
              {texts.more}
            </Button>
          </>
        }
      >
        <Card>
          <Rows
            rows={[
              {
                name: texts.weight,
                value: `${grams(order.grams)} · ${don(order.grams, language)}`,
                strong: true,
              },
              { name: texts.applied, value: won(order.price) },
              { name: texts.feeName(order.feePercent), value: won(order.fee) },
              ...parts,
            ]}
          />
        </Card>
      </Result>
    </MemberLayout>
  )
}
