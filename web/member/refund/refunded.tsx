import { Link } from '@tanstack/react-router'
import type { Refund } from '../../../contract/member.gen.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { points } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Result } from '../../kit/result.tsx'
import { Rows } from '../../kit/rows.tsx'
import { IN_WEB_VIEW } from '../shared/environment.ts'
import { MemberLayout } from '../shared/member-layout.tsx'
import { receives } from './refund-lines.ts'
import { TEXTS } from './texts.ts'

// What comes next for each way: points buy metal, money is withdrawn.
export function Refunded({ refund, onOther }: { refund: Refund; onOther(): void }) {
  const texts = useTexts(TEXTS)
  const won = useWon()
  const { language } = useLanguage()
  const asPoints = refund.payout === 'points'
  return (
    <MemberLayout title={texts.title}>
      <Result
        title={asPoints ? texts.donePoints : texts.doneMoney}
        figure={receives(refund, language)}
        actions={
          <>
            {asPoints ? (
              <Link
                to="/trade/$metal"
                params={{ metal: 'gold' }}
                search={{ side: 'buy' }}
                className={buttonClass()}
              >
                {texts.buyGold}
              </Link>
            ) : (
              <Link to="/withdraw" className={buttonClass()}>
                {texts.withdraw}
              </Link>
            )}
            {/* The first page of a web view shows the assets. */}
            <Link to={IN_WEB_VIEW ? '/' : '/assets'} className={buttonClass('quiet')}>
              {texts.assets}
            </Link>
            <Button look="quiet" onClick={onOther}>
              {texts.other}
            </Button>
          </>
        }
      >
        <Card>
          <Rows
            rows={[
              {
                name: asPoints ? texts.heldPoints : texts.heldMoney,
                value: asPoints ? points(refund.held) : won(refund.held),
                strong: true,
              },
            ]}
          />
        </Card>
      </Result>
    </MemberLayout>
  )
}
