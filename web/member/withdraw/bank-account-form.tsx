import { useState } from 'react'
import type { Withdrawal } from '../../../contract/member.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Field, SelectField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Heading, PageActions } from '../../kit/layout.tsx'
import { halfWidth } from '../shared/amount/amount.ts'
import { BANKS } from '../shared/banks.ts'
import { ConfirmWithdrawal } from './confirm-withdrawal.tsx'
import { TEXTS } from './texts.ts'

// The page holds this state, so that Back to the amount does not lose it.
export const NO_ACCOUNT = { bank: '', account: '' }

interface Props {
  amount: number
  where: typeof NO_ACCOUNT
  setWhere(where: typeof NO_ACCOUNT): void
  onRequested(withdrawal: Withdrawal): void
}

// No field for the holder's name: the service takes the verified one, and a bank compares with that.
export function BankAccountForm({ amount, where, setWhere, onRequested }: Props) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { bank, account } = where
  const [tried, setTried] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  // The shape only. Whether the account exists and is the member's own, the service finds out.
  const isAccountComplete = /^[0-9-]{6,24}$/.test(account) && account.replaceAll('-', '').length >= 6
  return (
    <Form
      fill
      onSubmit={() => {
        setTried(true)
        if (isAccountComplete && bank) setConfirming(true)
      }}
    >
      <Heading sub={texts.whereSub}>{texts.whereHeading}</Heading>
      <SelectField
        label={texts.bank}
        value={bank}
        error={tried && !bank ? texts.choose : undefined}
        onChange={(event) => setWhere({ bank: event.target.value, account })}
      >
        <option value="" disabled>
          {texts.choose}
        </option>
        {Object.entries(BANKS).map(([code, names]) => (
          <option key={code} value={code}>
            {names[language]}
          </option>
        ))}
      </SelectField>
      <Field
        label={texts.account}
        hint={texts.accountHint}
        inputMode="numeric"
        autoComplete="off"
        maxLength={24}
        value={account}
        error={tried && !isAccountComplete ? texts.badAccount : undefined}
        // A Korean keyboard in its wide mode types digits that are not ASCII.
        onChange={(event) =>
          setWhere({ bank, account: halfWidth(event.target.value).replace(/[^\d-]/g, '') })
        }
      />
      <PageActions>
        <Button type="submit">{texts.next}</Button>
      </PageActions>
      {isConfirming && (
        <ConfirmWithdrawal
          wish={{ amount, bank, account }}
          {...{ onRequested }}
          onClose={() => setConfirming(false)}
        />
      )}
    </Form>
  )
}
