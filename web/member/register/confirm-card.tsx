import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { CardToRegister, RegisteredCard } from '../../../contract/member.gen.ts'
import { BigNumber } from '../../kit/big-number.tsx'
import { Button } from '../../kit/button.tsx'
import { date } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Rows } from '../../kit/rows.tsx'
import { Sheet } from '../../kit/sheet.tsx'
import { ExtendCard } from '../refund/extend-card.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { useStepUp } from '../shared/identity/step-up.tsx'
import { queryClient } from '../shared/session/session.ts'
import { TEXTS } from './texts.ts'

// The card's worth and its receiver: the one confirmation before it becomes points, which cannot be undone.
export default function ConfirmCard(props: {
  card: CardToRegister
  // Only in a web view. On the website the service keeps the PIN.
  pin?: string
  onClose(): void
  onDone(card: RegisteredCard): void
}) {
  const won = useWon()
  const { card } = props
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const withStepUp = useStepUp()
  // An extension moves the day while this sheet is open.
  const [expiresOn, setExpiresOn] = useState(card.expiresOn)
  // A second tap can come before the button renders as busy. And a card that this sheet registered, with the answer lost,
  // answers the next press with `again`: to the member it is the first success.
  const tries = useRef({ count: 0, underWay: false })
  const redeem = useMutation({
    mutationFn: () =>
      withStepUp(() =>
        callApi('POST /cards/redeem', { body: props.pin === undefined ? {} : { pin: props.pin } }),
      ),
    onSettled: () => {
      tries.current.underWay = false
    },
    onSuccess: (done) => {
      props.onDone(tries.current.count > 1 ? { ...done, again: false } : done)
      void queryClient.invalidateQueries()
    },
  })
  function press() {
    if (tries.current.underWay) return
    tries.current = { count: tries.current.count + 1, underWay: true }
    redeem.mutate()
  }
  const refusal = redeem.isError ? refusalOf(redeem.error) : undefined
  return (
    <Sheet
      open
      onClose={props.onClose}
      title={texts.confirmTitle}
      actions={
        <Button busy={redeem.isPending} onClick={press}>
          {texts.redeem}
        </Button>
      }
    >
      <BigNumber className="mb-3">{won(card.amount)}</BigNumber>
      <Rows
        rows={[
          { name: texts.to, value: texts.toName(card.holder), strong: true },
          { name: texts.from, value: card.partner },
          { name: texts.until, value: texts.untilDay(date(expiresOn, language)) },
        ]}
      />
      <p className="mt-3 mb-3 text-sm text-sub">{texts.once}</p>
      {card.extendsTo && <ExtendCard extendsTo={card.extendsTo} pin={props.pin} onExtended={setExpiresOn} />}
      <RefusalMessage refusal={refusal} outcomeUnknown={texts.unsure} />
    </Sheet>
  )
}
