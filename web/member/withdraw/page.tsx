import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AmountInput } from '../../kit/amount-input.tsx'
import { Button, buttonClass, Chip } from '../../kit/button.tsx'
import { useTexts, useWon } from '../../kit/language.tsx'
import { useAssets } from '../../kit/market.tsx'
import { Result } from '../../kit/result.tsx'
import { Bottom, Heading, Screen } from '../../kit/screen.tsx'
import { SignedIn } from '../../kit/session.tsx'
import { newUuid } from '../../kit/uuid.ts'
import { Destination } from './destination.tsx'
import { WithdrawalList } from './list.tsx'
import { TEXTS } from './texts.ts'

type Step = { at: 'amount' } | { at: 'where'; requestId: string } | { at: 'done' }

export default function WithdrawPage() {
  const texts = useTexts(TEXTS)
  const [typed, setTyped] = useState('')
  const [step, go] = useState<Step>({ at: 'amount' })
  if (step.at === 'done') {
    const again = () => {
      setTyped('')
      go({ at: 'amount' })
    }
    return <Done amount={Number(typed)} onAgain={again} />
  }
  const back = step.at === 'where' ? () => go({ at: 'amount' }) : true
  return (
    <Screen title={texts.title} back={back}>
      <SignedIn>
        {() =>
          step.at === 'where' ? (
            <Destination
              amount={Number(typed)}
              requestId={step.requestId}
              onRequested={() => go({ at: 'done' })}
            />
          ) : (
            <>
              <AmountForm
                {...{ typed, setTyped }}
                // Made once for this wish: pressing twice, or again after a lost answer, is the same withdrawal.
                onNext={() => go({ at: 'where', requestId: newUuid() })}
              />
              <WithdrawalList />
            </>
          )
        }
      </SignedIn>
    </Screen>
  )
}

function AmountForm(props: { typed: string; setTyped(typed: string): void; onNext(): void }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { typed, setTyped } = props
  const { data: assets } = useAssets()
  const deposit = assets?.deposit
  const tooMuch = deposit !== undefined && Number(typed) > deposit
  const fine = Number(typed) >= 1 && !tooMuch && deposit !== undefined
  const add = (more: number) => setTyped(String(Number(typed || 0) + more))
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (fine) props.onNext()
      }}
    >
      <Heading sub={texts.pointsNote}>{texts.heading}</Heading>
      <AmountInput
        label={texts.amount}
        unit="won"
        value={typed}
        onChange={setTyped}
        hint={deposit !== undefined && texts.available(won(deposit))}
        error={tooMuch ? texts.tooMuch : undefined}
      />
      <div className="flex flex-wrap gap-2">
        {([10_000, 100_000] as const).map((amount) => (
          <Chip key={amount} onClick={() => add(amount)}>
            {texts.plus[amount]}
          </Chip>
        ))}
        {deposit !== undefined && deposit > 0 && (
          <Chip onClick={() => setTyped(String(deposit))}>{texts.all}</Chip>
        )}
        {typed !== '' && <Chip onClick={() => setTyped('')}>{texts.clear}</Chip>}
      </div>
      <Bottom>
        <Button type="submit" disabled={!fine}>
          {texts.next}
        </Button>
      </Bottom>
    </form>
  )
}

function Done({ amount, onAgain }: { amount: number; onAgain(): void }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  return (
    <Screen title={texts.title}>
      <Result
        title={texts.done}
        figure={won(amount)}
        actions={
          <>
            <Button onClick={onAgain}>{texts.toList}</Button>
            <Link to="/assets" className={buttonClass('quiet')}>
              {texts.assets}
            </Link>
          </>
        }
      >
        <p className="text-sub">{texts.doneBody}</p>
      </Result>
    </Screen>
  )
}
