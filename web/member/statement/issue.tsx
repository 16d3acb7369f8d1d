import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, buttonClass } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Heading } from '../../kit/layout.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Note } from '../../kit/note.tsx'
import { newUuid } from '../../kit/uuid.ts'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError, RefusalMessage } from '../shared/api/refusal-message.tsx'
import { useStepUp } from '../shared/identity/step-up.tsx'
import { queryClient } from '../shared/session/session.ts'
import type { Period } from './periods.ts'
import { StatementDocument } from './statement-document.tsx'
import { TEXTS } from './texts.ts'

const keyOf = (number: string) => ['issued statement', number]

export function PrintButton() {
  const texts = useTexts(TEXTS)
  return (
    <Button className="flex-1 basis-[9rem]" onClick={() => window.print()}>
      {texts.print}
    </Button>
  )
}

// The request id makes a second press after a lost answer bring the same statement. With and without the full name are two
// statements, so each has its own id.
export function Issue({ period }: { period: Period }) {
  const texts = useTexts(TEXTS)
  const withStepUp = useStepUp()
  const navigate = useNavigate({ from: '/statement' })
  const [fullName, setFullName] = useState(false)
  const [ids] = useState(() => ({ masked: newUuid(), full: newUuid() }))
  const issue = useMutation({
    mutationFn: () => {
      const requestId = fullName ? ids.full : ids.masked
      return withStepUp(() => callApi('POST /statements', { body: { requestId, ...period, fullName } }))
    },
    onSuccess: (issued) => {
      // The next view reads it from here, without another call.
      queryClient.setQueryData(keyOf(issued.number), issued)
      void navigate({ to: '.', search: { number: issued.number } })
    },
  })
  const refusal = issue.isError ? refusalOf(issue.error) : undefined
  // The statement may exist already. The note says that pressing again brings the same one.
  const unsure = refusal?.code === 'offline' || refusal?.code === 'service_unavailable'
  return (
    <Card className="no-print flex flex-col gap-3">
      <h2 className="font-semibold">{texts.issueHeading}</h2>
      <p className="text-[0.9375rem] text-sub">{texts.issueSub}</p>
      <label className="flex min-h-12 items-center gap-3">
        <input
          type="checkbox"
          checked={fullName}
          onChange={(event) => setFullName(event.target.checked)}
          className="size-6 shrink-0 accent-action"
        />
        {texts.fullName}
      </label>
      {unsure ? <Note>{texts.unsure}</Note> : <RefusalMessage refusal={refusal} />}
      <Button busy={issue.isPending} onClick={() => issue.mutate()}>
        {texts.issue}
      </Button>
    </Card>
  )
}

// An issued statement never changes. Its number is in the address, so a reload shows the same.
export function Issued({ number }: { number: string }) {
  const texts = useTexts(TEXTS)
  const withStepUp = useStepUp()
  const issued = useQuery({
    queryKey: keyOf(number),
    queryFn: () => withStepUp(() => callApi('GET /statements/:number', { params: { number } })),
    staleTime: Number.POSITIVE_INFINITY,
    // A number that is not this member's stays refused.
    retry: false,
  })
  return (
    <>
      <div className="no-print flex flex-col gap-3">
        <Heading>{texts.title}</Heading>
        <div className="flex flex-wrap gap-2">
          {issued.data && <PrintButton />}
          <Link to="/statement" search={{}} className={buttonClass('quiet', 'flex-1 basis-[9rem]')}>
            {texts.again}
          </Link>
        </div>
      </div>
      {issued.isPending && <Loading lines={5} />}
      {issued.isError && (
        <LoadError refusal={refusalOf(issued.error)} onRetry={() => void issued.refetch()} />
      )}
      {issued.data && <StatementDocument statement={issued.data} issued={issued.data} />}
    </>
  )
}
