import { Link } from '@tanstack/react-router'
import type { Metal, Side } from '../../../contract/member.gen.ts'
import { buttonClass } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Heading, PageActions } from '../../kit/layout.tsx'
import { IN_WEB_VIEW } from '../shared/environment.ts'
import { TEXTS } from './texts.ts'

// No money to buy with, or no metal to sell: what to do instead.
export function EmptyBalance({ metal, side }: { metal: Metal; side: Side }) {
  const texts = useTexts(TEXTS)
  const name = texts[metal]
  return (
    <>
      <Heading sub={side === 'buy' ? texts.noMoneySub : texts.noMetalSub(name)}>
        {side === 'buy' ? texts.noMoney : texts.noMetal(name)}
      </Heading>
      <PageActions>
        {side === 'buy' ? (
          <RegisterLink />
        ) : (
          <Link
            to="/trade/$metal"
            params={{ metal }}
            search={{ side: 'buy' }}
            // Replaced: Back leads to the metal, not to a sale that is impossible.
            replace
            className={buttonClass('buy')}
          >
            {texts.buy(name)}
          </Link>
        )}
      </PageActions>
    </>
  )
}

export function RegisterLink({ look = 'main' }: { look?: 'main' | 'quiet' }) {
  const texts = useTexts(TEXTS)
  return (
    <Link to={IN_WEB_VIEW ? '/register' : '/'} className={buttonClass(look)}>
      {texts.register}
    </Link>
  )
}
