import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Withdrawal } from '../../../contract/member.gen.ts'
import { BigNumber } from '../../kit/big-number.tsx'
import { Button } from '../../kit/button.tsx'
import { moment } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { LiveRegion, Note } from '../../kit/note.tsx'
import { Rows } from '../../kit/rows.tsx'
import { Sheet } from '../../kit/sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { isOutcomeUnknown, refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { bankName } from '../shared/banks.ts'
import { useStepUp } from '../shared/identity/step-up.tsx'
import { queryClient } from '../shared/session/session.ts'
import { isOpen, useWithdrawals } from '../shared/withdrawals.tsx'
import { createRequestIds, type Wish } from './request-ids.ts'
import { TEXTS } from './texts.ts'

// A function, because reading window.sessionStorage throws where storage is forbidden.
const requestIds = createRequestIds(() => window.sessionStorage)

interface Props {
  wish: Wish
  onRequested(withdrawal: Withdrawal): void
  onClose(): void
}

export function ConfirmWithdrawal({ wish, onRequested, onClose }: Props) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { request, isUnanswered, ended } = useRequest(wish, onRequested)
  const similar = useSimilarRequest(wish)
  const refusal = request.isError ? refusalOf(request.error) : undefined
  // A request whose answer was lost would be found as its own double, so then nothing is said.
  const hasSimilar = !isUnanswered && !ended && similar !== undefined
  return (
    <Sheet
      open
      onClose={onClose}
      title={texts.confirmTitle}
      actions={
        <Button busy={request.isPending} onClick={() => request.mutate()}>
          {isUnanswered ? texts.sendAgain : hasSimilar || ended ? texts.requestAnother : texts.request}
        </Button>
      }
    >
      <BigNumber className="mb-3">{won(wish.amount)}</BigNumber>
      <Rows
        rows={[
          { name: texts.bank, value: bankName(wish.bank, language) },
          { name: texts.account, value: wish.account, strong: true },
        ]}
      />
      <LiveRegion role="status">
        {hasSimilar && <Note>{texts.twin(moment(similar.requestedAt, language))}</Note>}
        {ended && <Note>{texts.ended(texts[ended.status])}</Note>}
        {isUnanswered && !refusal && <Note>{texts.unanswered}</Note>}
      </LiveRegion>
      <RefusalMessage refusal={refusal} outcomeUnknown={texts.lost} />
      <p className="mt-3 text-sm text-sub">{texts.confirmNote}</p>
    </Sheet>
  )
}

// If the answer to the same request was lost before, it is sent again under the same id, which the service takes once. The
// id is forgotten only when nothing can be under way under it.
function useRequest(wish: Wish, onRequested: Props['onRequested']) {
  const withStepUp = useStepUp()
  // True after going back or a reload, too: the stored id survives both.
  const [isUnanswered, setUnanswered] = useState(() => requestIds.isWaiting(wish))
  const [ended, setEnded] = useState<Withdrawal>()
  const request = useMutation({
    mutationFn: () =>
      withStepUp(() => callApi('POST /withdrawals', { body: { requestId: requestIds.idOf(wish), ...wish } })),
    onSuccess: (withdrawal) => {
      requestIds.forget(wish)
      setUnanswered(false)
      // The service had made it long ago, and it is settled. Another withdrawal takes another press.
      if (isOpen(withdrawal)) onRequested(withdrawal)
      else setEnded(withdrawal)
    },
    onError: (error) => {
      const refusal = refusalOf(error)
      if (isOutcomeUnknown(refusal)) setUnanswered(true)
      // A refusal after a lost answer proves nothing about the first one: its id stays, or a new one could pay twice.
      // A conflict says that the id belongs to another wish, so it is given up.
      else if (!isUnanswered || refusal.code === 'conflict') requestIds.forget(wish)
    },
    // After a refusal, too: balances and list may have changed under it.
    onSettled: () => void queryClient.invalidateQueries(),
  })
  return { request, isUnanswered, ended }
}

// A pending withdrawal of the same amount to the same account, as far as the masked number tells: probably a mistake, so
// the sheet points it out.
function useSimilarRequest({ amount, bank, account }: Wish): Withdrawal | undefined {
  const { data } = useWithdrawals()
  const digits = account.replaceAll('-', '')
  const isSame = (one: Withdrawal) =>
    isOpen(one) &&
    one.amount === amount &&
    one.bank === bank &&
    // A masked number has as many characters as the whole one.
    one.account.length === digits.length &&
    one.account.slice(-4) === digits.slice(-4)
  return data?.withdrawals.find(isSame)
}
