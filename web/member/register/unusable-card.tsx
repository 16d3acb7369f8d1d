import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Heading } from '../../kit/layout.tsx'
import type { Refusal } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { MemberLayout } from '../shared/member-layout.tsx'
import { TEXTS } from './texts.ts'

// A lost connection or a rate limit is not among them: there the card may be fine, and the page offers another try.
const FINAL: readonly Refusal['code'][] = [
  'card_not_registered',
  'card_used',
  'card_expired',
  'card_cancelled',
  'card_refunded',
  'refund_too_late',
  'card_already_yours',
]

// Another try would be refused in the same way.
export const isFinal = ({ code }: Refusal) => FINAL.includes(code)

// A card that cannot be registered any more. Without a refusal it is the member's own, registered before.
export function UnusableCard(props: {
  title: string
  refusal?: Refusal | undefined
  busy?: boolean
  onOther(): void
  children?: ReactNode
}) {
  const texts = useTexts(TEXTS)
  // The member's own card is no bad news, so no error is shown.
  const refusal = props.refusal?.code === 'card_already_yours' ? undefined : props.refusal
  return (
    <MemberLayout
      title={props.title}
      back
      actions={
        <>
          <Button busy={props.busy === true} onClick={props.onOther}>
            {texts.otherPin}
          </Button>
          <Link to="/assets" className={buttonClass('quiet')}>
            {texts.home}
          </Link>
        </>
      }
    >
      {refusal ? <Heading>{texts.dead}</Heading> : <Heading sub={texts.againSub}>{texts.again}</Heading>}
      {props.children}
      <RefusalMessage refusal={refusal} />
    </MemberLayout>
  )
}
