import { useState } from 'react'
import type { Withdrawal } from '../../../contract/member.gen.ts'
import { halfWidth } from '../../kit/amount.ts'
import { BANKS } from '../../kit/banks.ts'
import { Button } from '../../kit/button.tsx'
import { Field, SelectField } from '../../kit/field.tsx'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Bottom, Heading } from '../../kit/screen.tsx'
import { Confirm } from './confirm.tsx'
import { TEXTS } from './texts.ts'

export const NOWHERE = { bank: '', account: '' }

interface Props {
  amount: number
  where: typeof NOWHERE
  setWhere(where: typeof NOWHERE): void
  onRequested(withdrawal: Withdrawal): void
}

export function Destination({ amount, where, setWhere, onRequested }: Props) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { bank, account } = where
  const [tried, setTried] = useState(false)
  const [asks, setAsks] = useState(false)
  const fineAccount = /^[0-9-]{6,24}$/.test(account) && account.replaceAll('-', '').length >= 6
  return (
    <form
      noValidate
      className="flex flex-1 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (fineAccount && bank) setAsks(true)
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
        error={tried && !fineAccount ? texts.badAccount : undefined}
        onChange={(event) =>
          setWhere({ bank, account: halfWidth(event.target.value).replace(/[^\d-]/g, '') })
        }
      />
      <Bottom>
        <Button type="submit">{texts.next}</Button>
      </Bottom>
      {asks && (
        <Confirm wish={{ amount, bank, account }} {...{ onRequested }} onClose={() => setAsks(false)} />
      )}
    </form>
  )
}
