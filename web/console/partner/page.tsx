import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { PartnerPage } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { ObjectTimeline } from '../shared/object/object-timeline.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Page } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { RawJson } from '../shared/raw-json.tsx'
import { useMay } from '../shared/session.ts'
import { Badge } from '../shared/values.tsx'
import { Billing } from './billing.tsx'
import { Contacts } from './contacts.tsx'
import { Debt } from './debt.tsx'
import { Keys } from './keys.tsx'
import { PatternTester } from './pattern-tester.tsx'
import { Templates } from './templates.tsx'
import { Terms } from './terms.tsx'
import { TEXTS } from './texts.ts'

export default function PartnerPageView() {
  const { code } = useParams({ from: '/partners/$code' })
  const { data, error, refetch } = useQuery({
    queryKey: ['partner', code],
    queryFn: () => callApi('GET /partners/:code', { params: { code } }),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  return <Partner partner={data} onChange={refetch} />
}

function Partner({ partner, onChange }: { partner: PartnerPage; onChange(): void }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const may = useMay()
  const [open, setOpen] = useState(false)
  const params = { code: partner.code }
  const isActive = partner.status === 'active'
  return (
    <Page
      title={partner.name}
      sub={
        <>
          <Badge look={isActive ? 'good' : 'warn'}>{words(partner.status)}</Badge> {partner.code}
        </>
      }
      actions={
        may('partners.change') && (
          <Button size="small" look={isActive ? 'sell' : 'quiet'} onClick={() => setOpen(true)}>
            {isActive ? texts.suspend : texts.resume}
          </Button>
        )
      }
    >
      <Debt partner={partner} onChange={onChange} />
      <Keys partner={partner} onChange={onChange} />
      <Contacts partner={partner} onChange={onChange} />
      <Billing partner={partner} onChange={onChange} />
      <Terms partner={partner} onChange={onChange} />
      <PatternTester partner={partner} />
      <Templates partner={partner} onChange={onChange} />
      <ObjectTimeline
        timeline={partner.timeline}
        load={(below) => callApi('GET /partners/:code/timeline', { params, query: { below } })}
      />
      <RawJson value={partner} />
      <ActSheet
        open={open}
        onClose={() => setOpen(false)}
        onDone={onChange}
        title={isActive ? texts.suspend : texts.resume}
        act={isActive ? texts.suspend : texts.resume}
        look={isActive ? 'sell' : 'main'}
        explain={isActive ? texts.suspendWill : texts.resumeWill}
        // A suspension only stops something, so one person is enough and it holds at once (decisions/0083).
        run={async (reason) => {
          const changes = { status: isActive ? ('suspended' as const) : ('active' as const) }
          await callApi('POST /partners/:code/terms', { params, body: { changes, reason } })
          return null
        }}
      />
    </Page>
  )
}
