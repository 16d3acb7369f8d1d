import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, refusalOf } from '../../kit/api.ts'
import { BANKS, bankName } from '../../kit/banks.ts'
import { Button } from '../../kit/button.tsx'
import { Field, SelectField } from '../../kit/field.tsx'
import { Figure } from '../../kit/figure.tsx'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Problem, Rows } from '../../kit/parts.tsx'
import { Bottom, Heading } from '../../kit/screen.tsx'
import { queries } from '../../kit/session.tsx'
import { Sheet } from '../../kit/sheet.tsx'
import { useAct } from '../../kit/step-up.tsx'
import { TEXTS } from './texts.ts'

interface Props {
  amount: number
  requestId: string
  onRequested(): void
}

export function Destination({ amount, requestId, onRequested }: Props) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const [bank, setBank] = useState('')
  const [account, setAccount] = useState('')
  const [shown, setShown] = useState(false)
  const [asks, setAsks] = useState(false)
  const fineAccount = /^[0-9-]{6,24}$/.test(account) && account.replaceAll('-', '').length >= 6
  return (
    <form
      noValidate
      className="flex flex-1 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setShown(true)
        if (fineAccount && bank) setAsks(true)
      }}
    >
      <Heading sub={texts.whereSub}>{texts.whereHeading}</Heading>
      <SelectField
        label={texts.bank}
        value={bank}
        error={shown && !bank ? texts.choose : undefined}
        onChange={(event) => setBank(event.target.value)}
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
        error={shown && !fineAccount ? texts.badAccount : undefined}
        onChange={(event) => setAccount(event.target.value.replace(/[^\d-]/g, ''))}
      />
      <Bottom>
        <Button type="submit">{texts.next}</Button>
      </Bottom>
      {asks && (
        <Confirm {...{ amount, requestId, bank, account, onRequested }} onClose={() => setAsks(false)} />
      )}
    </form>
  )
}

function Confirm(props: Props & { bank: string; account: string; onClose(): void }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { amount, requestId, bank, account } = props
  const act = useAct()
  const request = useMutation({
    mutationFn: () => act(() => ask('POST /withdrawals', { body: { requestId, amount, bank, account } })),
    onSuccess: () => {
      props.onRequested()
      void queries.invalidateQueries()
    },
  })
  return (
    <Sheet
      open
      onClose={props.onClose}
      title={texts.confirmTitle}
      actions={
        <Button busy={request.isPending} onClick={() => request.mutate()}>
          {texts.request}
        </Button>
      }
    >
      <Figure className="mb-3">{won(amount)}</Figure>
      <Rows
        rows={[
          { name: texts.bank, value: bankName(bank, language) },
          { name: texts.account, value: account, strong: true },
        ]}
      />
      <p className="my-3 text-sm text-sub">{texts.confirmNote}</p>
      <Problem refusal={request.isError ? refusalOf(request.error) : undefined} />
    </Sheet>
  )
}
