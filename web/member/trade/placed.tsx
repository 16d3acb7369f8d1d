import { Link } from '@tanstack/react-router'
import type { Order } from '../../../contract/member.gen.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { don, grams, won } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Card, Rows } from '../../kit/parts.tsx'
import { IN_WEB_VIEW } from '../../kit/place.ts'
import { Result } from '../../kit/result.tsx'
import { Screen } from '../../kit/screen.tsx'
import { TEXTS } from './texts.ts'

export function Placed({ order, onMore }: { order: Order; onMore(): void }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const title = order.side === 'buy' ? texts.bought(texts[order.metal]) : texts.sold(texts[order.metal])
  const all = [
    { name: texts.fromPoints, value: order.fromPoints },
    { name: texts.fromDeposit, value: order.fromDeposit },
    { name: texts.toDeposit, value: order.side === 'sell' ? order.total : 0 },
  ]
  const parts = all.filter(({ value }) => value > 0).map(({ name, value }) => ({ name, value: won(value) }))
  return (
    <Screen title={title}>
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
    </Screen>
  )
}
