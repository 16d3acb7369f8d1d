import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Refund, RefundOffer, RefundOffers } from '../../../contract/member.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { date, moment } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Heading } from '../../kit/layout.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Rows } from '../../kit/rows.tsx'
import { isFinal, UnusableCard } from '../register/unusable-card.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { useStepUp } from '../shared/identity/step-up.tsx'
import { MemberLayout } from '../shared/member-layout.tsx'
import { ConfirmRefund } from './confirm-refund.tsx'
import { refundLines } from './refund-lines.ts'
import { Refunded } from './refunded.tsx'
import { TEXTS } from './texts.ts'

interface Props {
  // Only in a web view. On the website the service keeps the PIN.
  pin?: string
  busy?: boolean
  onOther(): void
  onRefunded?(): void
}

// A card that can no longer be registered: what it still gives, each way line by line.
export default function ExpiredCard({ pin, busy = false, onOther, onRefunded }: Props) {
  const texts = useTexts(TEXTS)
  const withStepUp = useStepUp()
  const [chosen, setChosen] = useState<RefundOffer>()
  const [done, setDone] = useState<Refund>()
  const { mutate, ...offers } = useMutation({
    mutationFn: () =>
      withStepUp(() => callApi('POST /cards/refund-offers', { body: pin === undefined ? {} : { pin } })),
  })
  // The person has typed the PIN and pressed a button already.
  useEffect(() => mutate(), [mutate])
  if (done) return <Refunded refund={done} onOther={onOther} />
  const refusal = offers.isError ? refusalOf(offers.error) : undefined
  if (refusal && isFinal(refusal))
    return <UnusableCard title={texts.title} refusal={refusal} busy={busy} onOther={onOther} />
  // The service keeps a typed PIN no longer than an offer holds.
  if (refusal?.code === 'not_found')
    return (
      <MemberLayout
        title={texts.title}
        back
        actions={
          <Button busy={busy} onClick={onOther}>
            {texts.typePin}
          </Button>
        }
      >
        <Heading sub={texts.goneSub}>{texts.gone}</Heading>
      </MemberLayout>
    )
  return (
    <MemberLayout title={texts.title} back>
      {offers.data ? (
        <Offers offers={offers.data} onChoose={setChosen} />
      ) : refusal ? (
        <LoadError refusal={refusal} onRetry={() => mutate()} />
      ) : (
        <Loading lines={3} />
      )}
      <Button look="quiet" busy={busy} onClick={onOther}>
        {texts.other}
      </Button>
      {chosen && (
        <ConfirmRefund
          offer={chosen}
          onClose={() => setChosen(undefined)}
          // An offer holds for ten minutes, so new ones are asked for.
          onOver={() => {
            setChosen(undefined)
            mutate()
          }}
          onDone={(refund) => {
            setDone(refund)
            onRefunded?.()
          }}
        />
      )}
    </MemberLayout>
  )
}

function Offers({ offers, onChoose }: { offers: RefundOffers; onChoose(offer: RefundOffer): void }) {
  const texts = useTexts(TEXTS)
  const won = useWon()
  const { language } = useLanguage()
  const { amount, expiresOn, partner, holder, policy, refundableUntil, expiresAt } = offers
  return (
    <>
      <Heading sub={texts.sub(date(refundableUntil, language))}>{texts.heading}</Heading>
      <Card>
        <p className="big-number mb-3">{won(amount)}</p>
        <Rows
          rows={[
            { name: texts.from, value: partner },
            { name: texts.expiredOn, value: texts.untilDay(date(expiresOn, language)) },
            { name: texts.to, value: texts.toName(holder), strong: true },
          ]}
        />
      </Card>
      {offers.offers.map((offer) => (
        <Way key={offer.quoteId} offer={offer} onChoose={() => onChoose(offer)} />
      ))}
      <p className="text-sm text-sub">
        {texts.rules} {policy}. {texts.holds(moment(expiresAt, language))}
      </p>
    </>
  )
}

// Points come first and are the main button: they give the whole value.
function Way({ offer, onChoose }: { offer: RefundOffer; onChoose(): void }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const asPoints = offer.payout === 'points'
  return (
    <Card className="flex flex-col gap-3">
      <div>
        <h2 className="text-lg font-bold">{asPoints ? texts.points : texts.money}</h2>
        <p className="mt-1 text-[0.9375rem] text-sub">{asPoints ? texts.pointsSub : texts.moneySub}</p>
      </div>
      <Rows rows={refundLines(offer, language)} />
      <Button look={asPoints ? 'main' : 'quiet'} onClick={onChoose}>
        {asPoints ? texts.takePoints : texts.takeMoney}
      </Button>
    </Card>
  )
}
