import { useState } from 'react'
import type { CardPage, Permission } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { seoulDay } from '../../kit/format.ts'
import { useTexts } from '../../kit/language.tsx'
import { useMay } from '../shared/session.ts'
import { ExtendSheet } from './extend-sheet.tsx'
import { RefundSheet } from './refund-sheet.tsx'
import { ResendSheet } from './resend-sheet.tsx'
import { TEXTS } from './texts.ts'
import { VoidSheet } from './void-sheet.tsx'

// In the order of the buttons. Each act has a permission of its own, so a role may have some of them.
const ACTS = [
  { act: 'resend', permission: 'cards.resend', Sheet: ResendSheet },
  { act: 'extend', permission: 'cards.extend', Sheet: ExtendSheet },
  { act: 'refund', permission: 'refunds.request', Sheet: RefundSheet },
  { act: 'void', permission: 'cards.void', Sheet: VoidSheet },
] as const satisfies readonly { act: string; permission: Permission; Sheet: unknown }[]

type Act = (typeof ACTS)[number]['act']

// What the state of the card allows. The service says the rest before each act.
function actsOf(card: CardPage): Act[] {
  // A card past its last day counts as expired before the worker says so.
  const isPast = seoulDay(card.now) > card.expires
  // A card can be extended once, so an extended one has two acts left.
  if (card.status === 'issued' && !isPast) {
    const acts: Act[] = card.extendedFrom === null ? ['resend', 'extend', 'void'] : ['resend', 'void']
    return acts.filter((act) => act !== 'void' || card.voidWaits === null)
  }
  const isLost = card.status === 'expired' || card.status === 'issued'
  return isLost && !card.refund && !card.refundWaits ? ['refund'] : []
}

export function CardActs({ card, onChange }: { card: CardPage; onChange(): void }) {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [open, setOpen] = useState<Act>()
  const possible = actsOf(card)
  return (
    <>
      {/* Voiding erases the PIN for good, so its button looks different. */}
      {ACTS.filter(({ act, permission }) => possible.includes(act) && may(permission)).map(({ act }) => (
        <Button key={act} size="small" look={act === 'void' ? 'sell' : 'quiet'} onClick={() => setOpen(act)}>
          {texts[act]}
        </Button>
      ))}
      {/* All of them: an act that is done is no longer possible, and its sheet would go before it was read. */}
      {ACTS.map(({ act, Sheet }) => (
        <Sheet
          key={act}
          card={card}
          open={open === act}
          onClose={() => setOpen(undefined)}
          onDone={onChange}
        />
      ))}
    </>
  )
}
