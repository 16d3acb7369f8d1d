import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Refund, RefundOffer } from '../../../contract/member.gen.ts'
import { BigNumber } from '../../kit/big-number.tsx'
import { Button } from '../../kit/button.tsx'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Rows } from '../../kit/rows.tsx'
import { Sheet } from '../../kit/sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { useStepUp } from '../shared/identity/step-up.tsx'
import { queryClient } from '../shared/session/session.ts'
import { receives, refundLines } from './refund-lines.ts'
import { TEXTS } from './texts.ts'

interface Props {
  offer: RefundOffer
  onClose(): void
  // The offer holds no longer: new ones are wanted.
  onOver(): void
  onDone(refund: Refund): void
}

// The one confirmation before a refund. A lost answer costs nothing: the same quote gives the same refund.
export function ConfirmRefund({ offer, onClose, onOver, onDone }: Props) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const withStepUp = useStepUp()
  // A second tap can come before the button renders as busy.
  const isUnderWay = useRef(false)
  const claim = useMutation({
    mutationFn: () => withStepUp(() => callApi('POST /cards/refunds', { body: { quoteId: offer.quoteId } })),
    onSettled: () => {
      isUnderWay.current = false
    },
    onSuccess: (refund) => {
      onDone(refund)
      void queryClient.invalidateQueries()
    },
  })
  const refusal = claim.isError ? refusalOf(claim.error) : undefined
  const isOver = refusal?.code === 'quote_expired'
  return (
    <Sheet
      open
      onClose={onClose}
      title={offer.payout === 'points' ? texts.confirmPoints : texts.confirmMoney}
      actions={
        isOver ? (
          <Button onClick={onOver}>{texts.again}</Button>
        ) : (
          <Button
            busy={claim.isPending}
            onClick={() => {
              if (isUnderWay.current) return
              isUnderWay.current = true
              claim.mutate()
            }}
          >
            {texts.confirm}
          </Button>
        )
      }
    >
      <BigNumber className="mb-3">{receives(offer, language)}</BigNumber>
      <Rows rows={refundLines(offer, language)} />
      <p className="mt-3 mb-3 text-sm text-sub">{texts.once}</p>
      <RefusalMessage refusal={refusal} outcomeUnknown={texts.unsure}>
        {isOver ? texts.over : undefined}
      </RefusalMessage>
    </Sheet>
  )
}
