import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Withdrawal } from '../../../contract/member.gen.ts'
import { Button, buttonClass, Chip } from '../../kit/button.tsx'
import { Form } from '../../kit/form.tsx'
import { withCommas } from '../../kit/format.ts'
import { useTexts, useWon } from '../../kit/language.tsx'
import { Heading, PageActions } from '../../kit/layout.tsx'
import { Result } from '../../kit/result.tsx'
import { AmountInput, useAmount } from '../shared/amount/amount-input.tsx'
import { useAssets } from '../shared/assets-and-prices.tsx'
import { MemberLayout } from '../shared/member-layout.tsx'
import { SignedIn } from '../shared/session/signed-in.tsx'
import { PendingCard } from '../shared/withdrawals.tsx'
import { BankAccountForm, NO_ACCOUNT } from './bank-account-form.tsx'
import { TEXTS } from './texts.ts'
import { WithdrawalList } from './withdrawal-list.tsx'

type Amount = ReturnType<typeof useAmount>

// How much, then where to. The step is in the address, so that going back from the account leads to the amount; what was
// entered stays until it is asked for.
export default function WithdrawPage() {
  const texts = useTexts(TEXTS)
  const navigate = useNavigate({ from: '/withdraw' })
  const { step } = useSearch({ from: '/withdraw' })
  const amount = useAmount('won')
  // The account number stays in memory only: in the address it would be in the browser's history.
  const [where, setWhere] = useState(NO_ACCOUNT)
  const [done, setDone] = useState<Withdrawal>()
  if (done) return <Done amount={done.amount} onAgain={() => setDone(undefined)} />
  // Emptied, so that Back cannot request the same again.
  const finish = (withdrawal: Withdrawal) => {
    amount.set('')
    setWhere(NO_ACCOUNT)
    setDone(withdrawal)
    void navigate({ to: '.', search: {}, replace: true })
  }
  // After a reload the amount is gone, so it is asked for again, whatever step the address names.
  return (
    <MemberLayout title={texts.title} back>
      <SignedIn>
        {() =>
          step === 'account' && amount.amount !== undefined ? (
            <BankAccountForm
              amount={Number(amount.amount)}
              {...{ where, setWhere }}
              onRequested={(withdrawal) => finish(withdrawal)}
            />
          ) : (
            <>
              <AmountForm
                amount={amount}
                onNext={() => void navigate({ to: '.', search: { step: 'account' } })}
              />
              <PendingCard />
              <WithdrawalList />
            </>
          )
        }
      </SignedIn>
    </MemberLayout>
  )
}

// Only the deposit can be withdrawn. Points cannot, so the hint names the deposit.
function AmountForm({ amount: field, onNext }: { amount: Amount; onNext(): void }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { data: assets } = useAssets()
  const deposit = assets?.deposit
  const amount = Number(field.amount ?? 0)
  // Until the deposit has loaded, the service is the one that refuses.
  const tooMuch = deposit !== undefined && amount > deposit
  const add = (more: number) => field.set(withCommas(amount + more))
  return (
    <Form
      onSubmit={() => {
        field.onSubmit()
        if (field.amount !== undefined && !tooMuch) onNext()
      }}
    >
      <Heading sub={texts.pointsNote}>{texts.heading}</Heading>
      <AmountInput
        label={texts.amount}
        unit="won"
        value={field.typed}
        onChange={field.set}
        onBlur={field.onBlur}
        hint={deposit !== undefined && texts.available(won(deposit))}
        error={field.error ?? (tooMuch ? texts.tooMuch : undefined)}
      />
      <div className="flex flex-wrap gap-2">
        {([10_000, 100_000] as const).map((more) => (
          <Chip key={more} onClick={() => add(more)}>
            {texts.plus[more]}
          </Chip>
        ))}
        {deposit !== undefined && deposit > 0 && (
          <Chip onClick={() => field.set(withCommas(deposit))}>{texts.all}</Chip>
        )}
        {field.typed !== '' && <Chip onClick={() => field.set('')}>{texts.clear}</Chip>}
      </div>
      <PageActions>
        <Button type="submit">{texts.next}</Button>
      </PageActions>
    </Form>
  )
}

function Done({ amount, onAgain }: { amount: number; onAgain(): void }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  return (
    <MemberLayout title={texts.title}>
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
    </MemberLayout>
  )
}
