import { useState } from 'react'
import type { MemberPage, Transfers } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { type Refusal, refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { TransferTable } from '../shared/object/transfer-table.tsx'
import { Section } from '../shared/page.tsx'
import { TEXTS } from './texts.ts'

// What moved, newest first, a page at a time.
export function Money({ member }: { member: MemberPage }) {
  const texts = useTexts(TEXTS)
  // `of` names the first page that these pages continue. After a reload it is another one, and they no longer fit.
  const [more, setMore] = useState<Transfers & { of: Transfers }>()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const first = member.transfers
  const further = more?.of === first ? more : { of: first, transfers: [], next: first.next }

  async function load(before: string) {
    setBusy(true)
    setRefusal(undefined)
    try {
      const params = { memberId: member.memberId }
      const page = await callApi('GET /members/:memberId/transfers', { params, query: { before } })
      setMore({ of: first, transfers: [...further.transfers, ...page.transfers], next: page.next })
    } catch (error) {
      setRefusal(refusalOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section title={texts.money}>
      <TransferTable transfers={[...first.transfers, ...further.transfers]} />
      <RefusalMessage refusal={refusal} />
      {further.next && (
        <div className="flex pt-3">
          <Button look="quiet" size="small" busy={busy} onClick={() => load(further.next!)}>
            {texts.more}
          </Button>
        </div>
      )}
    </Section>
  )
}
