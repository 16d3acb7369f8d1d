import { Link } from '@tanstack/react-router'
import type { Metal, Side } from '../../../contract/member.gen.ts'
import { buttonClass } from '../../kit/button.tsx'
import { unitsOf } from '../../kit/format.ts'
import { useTexts } from '../../kit/language.tsx'
import { useAssets } from '../shared/assets-and-prices.tsx'
import { IN_WEB_VIEW } from '../shared/environment.ts'
import { useSession } from '../shared/session/session.ts'
import { RegisterLink } from './empty-balance.tsx'
import { TEXTS } from './texts.ts'

// Only links that lead somewhere: no selling without metal, no buying without money. Until the assets have loaded only
// buying is shown, and its page says what is missing.
export function BuySellLinks({ metal, open }: { metal: Metal; open: boolean }) {
  const texts = useTexts(TEXTS)
  const session = useSession()
  const signedIn = session.data?.signedIn === true
  const { data: assets } = useAssets(signedIn)
  // A web view has no log-in, and a session that still loads may be a member's.
  if (!signedIn && !session.isPending && !IN_WEB_VIEW) {
    return (
      <Link to="/login" search={{ to: `/trade/${metal}` }} className={buttonClass()}>
        {texts.login}
      </Link>
    )
  }
  const buys = assets === undefined || assets.points + assets.deposit > 0
  const sells = assets !== undefined && unitsOf(assets[metal].grams) > 0n
  return (
    <>
      {!buys && <p className="text-center text-sm text-sub">{texts.noMoneySub}</p>}
      <div className="flex flex-wrap gap-2 *:flex-1 *:basis-[8rem]">
        {sells && <TradeLink {...{ metal, open }} side="sell" />}
        {buys ? (
          <TradeLink {...{ metal, open }} side="buy" />
        ) : (
          <RegisterLink look={sells ? 'quiet' : 'main'} />
        )}
      </div>
    </>
  )
}

function TradeLink({ metal, side, open }: { metal: Metal; side: Side; open: boolean }) {
  const texts = useTexts(TEXTS)
  // A link has no disabled state of its own: assistive technology learns it from aria-disabled.
  const shut = open ? {} : { disabled: true, 'aria-disabled': true }
  return (
    <Link
      to="/trade/$metal"
      params={{ metal }}
      search={{ side }}
      className={open ? buttonClass(side) : buttonClass('quiet', 'opacity-60')}
      {...shut}
    >
      {texts[side](texts[metal])}
    </Link>
  )
}
