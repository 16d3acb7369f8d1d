import { useState } from 'react'
import type { ConsoleWithdrawal, PayoutDestination } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/field.tsx'
import { useTexts, useWon } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { queryClient } from '../shared/session.ts'
import { Facts } from '../shared/values.tsx'
import { TEXTS } from './texts.ts'

type Act = ConsoleWithdrawal['acts'][number] | 'reveal'

const PATHS = {
  approve: 'POST /withdrawals/:withdrawalId/approve',
  pay: 'POST /withdrawals/:withdrawalId/pay',
  refuse: 'POST /withdrawals/:withdrawalId/refuse',
} as const

// The service says which acts are open to this person now, and checks again.
export function Acts({ withdrawal }: { withdrawal: ConsoleWithdrawal }) {
  const texts = useTexts(TEXTS)
  const [open, setOpen] = useState<Act>()
  const [settled, setSettled] = useState(false)
  // Only then: an act that is done is no longer open, and its sheet would go before it was read.
  const close = () => {
    setOpen(undefined)
    if (!settled) return
    setSettled(false)
    void queryClient.invalidateQueries({ queryKey: ['withdrawal', withdrawal.id] })
    // The inbox and its count have withdrawals, too.
    void queryClient.invalidateQueries({ queryKey: ['approvals'] })
  }
  return (
    <>
      {withdrawal.mayReveal && (
        <Button look="quiet" size="small" onClick={() => setOpen('reveal')}>
          {texts.reveal}
        </Button>
      )}
      {withdrawal.acts.map((act) => (
        <Button
          key={act}
          look={act === 'refuse' ? 'quiet' : 'main'}
          size="small"
          onClick={() => setOpen(act)}
        >
          {texts[act]}
        </Button>
      ))}
      {withdrawal.acts.map((act) => (
        <SettleSheet
          key={act}
          {...{ withdrawal, act }}
          open={open === act}
          onClose={close}
          onDone={() => setSettled(true)}
        />
      ))}
      <RevealSheet id={withdrawal.id} open={open === 'reveal'} onClose={close} />
    </>
  )
}

interface SheetProps {
  open: boolean
  onClose(): void
}

function SettleSheet({
  withdrawal,
  act,
  open,
  onClose,
  onDone,
}: SheetProps & { withdrawal: ConsoleWithdrawal; act: keyof typeof PATHS; onDone(): void }) {
  const texts = useTexts(TEXTS)
  const won = useWon()
  const [notSent, setNotSent] = useState(false)
  const params = { withdrawalId: withdrawal.id }
  const explain = texts[`${act}Explain`](won(withdrawal.amount))
  // An approved payout may have left the bank. To give the won back then would pay it twice.
  const asksBank = act === 'refuse' && withdrawal.status === 'approved'
  return (
    <ActSheet
      {...{ open, onClose, onDone, explain }}
      title={texts[act]}
      act={texts[act]}
      look={act === 'refuse' ? 'sell' : 'main'}
      // An approval lets nothing out yet. The other two acts are final.
      confirm={act === 'approve' ? undefined : <p className="font-semibold">{explain}</p>}
      run={async (reason) => {
        // Sent only where it was asked for: the service takes its absence as `may have been sent`.
        await callApi(PATHS[act], { params, body: { reason, ...(notSent ? { notSent } : {}) } })
        return null
      }}
    >
      {asksBank && (
        <Checkbox
          label={texts.notSent}
          checked={notSent}
          onChange={(event) => setNotSent(event.target.checked)}
        />
      )}
    </ActSheet>
  )
}

// The person and the account stand in the sheet until it is closed, and nowhere else.
function RevealSheet({ id, open, onClose }: SheetProps & { id: string }) {
  const texts = useTexts(TEXTS)
  const [shown, setShown] = useState<PayoutDestination>()
  return (
    <ActSheet
      open={open}
      title={texts.reveal}
      explain={texts.revealExplain}
      act={texts.reveal}
      // Closing forgets the account and its holder.
      onClose={() => {
        setShown(undefined)
        onClose()
      }}
      // Looking is an event of the timeline, so the page is loaded again.
      onDone={() => void queryClient.invalidateQueries({ queryKey: ['withdrawal', id] })}
      run={async (reason) => {
        const params = { withdrawalId: id }
        setShown(await callApi('POST /withdrawals/:withdrawalId/reveal', { params, body: { reason } }))
        return null
      }}
      result={
        shown && (
          <Facts
            facts={[
              { name: texts.bank, value: shown.bank },
              { name: texts.account, value: <code className="font-code">{shown.account}</code> },
              { name: texts.holder, value: shown.holder },
            ]}
          />
        )
      }
    />
  )
}
