import { useMutation } from '@tanstack/react-query'
import type { Withdrawal, WithdrawalStatus } from '../../../contract/member.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { moment } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError, RefusalMessage } from '../shared/api/refusal-message.tsx'
import { bankName } from '../shared/banks.ts'
import { useStepUp } from '../shared/identity/step-up.tsx'
import { queryClient } from '../shared/session/session.ts'
import { useWithdrawals } from '../shared/withdrawals.tsx'
import { TEXTS } from './texts.ts'

// Colour is a hint only: the status is written out.
const LOOKS: Record<WithdrawalStatus, string> = {
  requested: 'bg-warn text-warn-ink',
  approved: 'bg-tint text-link',
  paid: 'bg-quiet text-body',
  cancelled: 'bg-quiet text-sub',
  refused: 'bg-bad text-up',
}

export function WithdrawalList() {
  const texts = useTexts(TEXTS)
  const list = useWithdrawals()
  if (list.isPending) return <Loading lines={3} />
  if (list.isError) return <LoadError refusal={refusalOf(list.error)} onRetry={() => list.refetch()} />
  return (
    <Card>
      <h2 className="text-[1.0625rem] font-semibold">{texts.list}</h2>
      {list.data.withdrawals.length === 0 && <p className="py-4 text-sub">{texts.none}</p>}
      <ul className="divide-y divide-line">
        {list.data.withdrawals.map((one) => (
          <Item key={one.id} withdrawal={one} />
        ))}
      </ul>
    </Card>
  )
}

function Item({ withdrawal }: { withdrawal: Withdrawal }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const withStepUp = useStepUp()
  const { id, amount, bank, account, status, requestedAt, waitsUntil } = withdrawal
  const cancel = useMutation({
    mutationFn: () =>
      withStepUp(() => callApi('POST /withdrawals/:withdrawalId/cancel', { params: { withdrawalId: id } })),
    // The money returns to the deposit, so every number on the page may change. A refusal means that the list is out of
    // date.
    onSettled: () => void queryClient.invalidateQueries(),
  })
  return (
    <li className="flex flex-col gap-2 py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <span className="flex min-w-0 flex-col">
          <span className="font-semibold">{won(amount)}</span>
          <span className="text-sm text-sub">
            {bankName(bank, language)} {account}
          </span>
          <span className="text-sm text-sub">{moment(requestedAt, language)}</span>
          {waitsUntil && (
            <span className="text-sm font-medium text-body">
              {texts.waitsUntil(moment(waitsUntil, language))}
            </span>
          )}
        </span>
        <span className={`rounded-lg px-2 py-1 text-sm font-medium ${LOOKS[status]}`}>{texts[status]}</span>
      </div>
      {/* The bank may know of an approved one, so only a requested one can be taken back. */}
      {status === 'requested' && (
        <Button look="plain" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {texts.cancel}
        </Button>
      )}
      <RefusalMessage refusal={cancel.isError ? refusalOf(cancel.error) : undefined} />
    </li>
  )
}
