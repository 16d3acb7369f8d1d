import { useMutation } from '@tanstack/react-query'
import type { CardToRegister, RegisteredCard } from '../../../contract/member.gen.ts'
import { ask, refusalOf } from '../../kit/api.ts'
import { Button } from '../../kit/button.tsx'
import { date, won } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Note, Problem, Rows } from '../../kit/parts.tsx'
import { queries } from '../../kit/session.tsx'
import { Sheet } from '../../kit/sheet.tsx'
import { useAct } from '../../kit/step-up.tsx'
import { TEXTS } from './texts.ts'

// What it is worth, and to whom it would go: the one confirmation before it becomes points.
export default function ConfirmCard(props: {
  card: CardToRegister
  pin: string
  onClose(): void
  onDone(card: RegisteredCard): void
}) {
  const { card } = props
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const act = useAct()
  const redeem = useMutation({
    mutationFn: () => act(() => ask('POST /cards/redeem', { body: { pin: props.pin } })),
    onSuccess: (done) => {
      props.onDone(done)
      void queries.invalidateQueries()
    },
  })
  const refusal = redeem.isError ? refusalOf(redeem.error) : undefined
  return (
    <Sheet
      open
      onClose={props.onClose}
      title={texts.confirmTitle}
      actions={
        <Button busy={redeem.isPending} onClick={() => redeem.mutate()}>
          {texts.redeem}
        </Button>
      }
    >
      <p className="figure-total mb-3">{won(card.amount)}</p>
      <Rows
        rows={[
          { name: texts.to, value: texts.toName(card.holder), strong: true },
          { name: texts.from, value: card.partner },
          { name: texts.until, value: texts.untilDay(date(card.expiresOn, language)) },
        ]}
      />
      <p className="mt-3 mb-3 text-sm text-sub">{texts.once}</p>
      {refusal?.code === 'offline' ? <Note>{texts.unsure}</Note> : <Problem refusal={refusal} />}
    </Sheet>
  )
}
