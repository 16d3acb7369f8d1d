import { Link } from '@tanstack/react-router'
import type { RegisteredCard } from '../../../contract/member.gen.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { points } from '../../kit/format.ts'
import { useTexts } from '../../kit/language.tsx'
import { Result } from '../../kit/result.tsx'
import { Rows } from '../../kit/rows.tsx'
import { IN_WEB_VIEW } from '../shared/environment.ts'
import { MemberLayout } from '../shared/member-layout.tsx'
import { TEXTS } from './texts.ts'

// Points buy metal and nothing else, so the first button leads to buying. A card that the same person registered before
// is shown as the success it was.
export function Registered({ card, onAnother }: { card: RegisteredCard; onAnother(): void }) {
  const texts = useTexts(TEXTS)
  return (
    <MemberLayout title={texts.title}>
      <Result
        title={card.again ? texts.again : texts.done}
        figure={points(card.amount)}
        actions={
          <>
            <Link
              to="/trade/$metal"
              params={{ metal: 'gold' }}
              search={{ side: 'buy' }}
              className={buttonClass()}
            >
              {texts.buyGold}
            </Link>
            <Link to={IN_WEB_VIEW ? '/' : '/assets'} className={buttonClass('quiet')}>
              {texts.home}
            </Link>
            <Button look="quiet" onClick={onAnother}>
              {texts.another}
            </Button>
          </>
        }
      >
        {card.again && <p className="mb-4 text-sub">{texts.againBody}</p>}
        <Card>
          <Rows rows={[{ name: texts.points, value: points(card.points), strong: true }]} />
        </Card>
      </Result>
    </MemberLayout>
  )
}
