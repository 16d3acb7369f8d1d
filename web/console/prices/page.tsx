import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConsoleMetal } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { AlertNote } from '../../kit/note.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { Page } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { useMay } from '../shared/session.ts'
import { ExactMoment } from '../shared/values.tsx'
import { MetalSection } from './metal-section.tsx'
import { PriceSheet, StopSheet, TermsSheet } from './price-sheets.tsx'

const TEXTS = {
  ko: {
    title: '시세와 거래 조건',
    asOf: '기준 시각',
    stop: '거래 멈추기',
    resume: '거래 다시 시작',
    stopped: '모든 거래가 멈춰 있습니다. 견적과 주문을 받지 않습니다.',
    silent: '서비스가 응답하지 않습니다. 마지막으로 받은 내용입니다.',
  },
  en: {
    title: 'Prices and terms',
    asOf: 'As of',
    stop: 'Stop trading',
    resume: 'Resume trading',
    stopped: 'All trading is stopped: no quotes, no orders.',
    silent: 'The service does not answer. This is what it said last.',
  },
}

type Act = { kind: 'stop' | 'resume' } | { kind: 'terms' | 'price'; metal: ConsoleMetal }

const REFRESH_MS = 5_000

export default function PricesPage() {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [act, setAct] = useState<Act>()
  const { data, error, refetch } = useQuery({
    queryKey: ['prices'],
    queryFn: () => callApi('GET /prices'),
    refetchInterval: REFRESH_MS,
  })
  // A failed refresh keeps the last prices on the page. The note above them says so.
  if (error && !data) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  // One act stops all metals, so the button turns only when all are stopped.
  const isStopped = data.metals.every(({ trading }) => trading === 'stopped')
  const sheet = { onClose: () => setAct(undefined), onDone: () => void refetch() }
  return (
    <Page
      title={texts.title}
      sub={
        <>
          {texts.asOf} <ExactMoment at={data.at} />
        </>
      }
      actions={
        may('prices.change') && (
          <Button
            size="small"
            look={isStopped ? 'main' : 'plain'}
            onClick={() => setAct({ kind: isStopped ? 'resume' : 'stop' })}
          >
            {isStopped ? texts.resume : texts.stop}
          </Button>
        )
      }
    >
      <AlertNote look="bad">{error ? texts.silent : isStopped ? texts.stopped : undefined}</AlertNote>
      {data.metals.map((metal) => (
        <MetalSection
          key={metal.metal}
          metal={metal}
          {...(may('prices.change') && {
            // The metal of this moment, so that a refresh does not change the sheet while somebody types.
            onTerms: () => setAct({ kind: 'terms', metal }),
            onPrice: () => setAct({ kind: 'price', metal }),
          })}
        />
      ))}
      {(act?.kind === 'stop' || act?.kind === 'resume') && (
        <StopSheet stopped={act.kind === 'stop'} {...sheet} />
      )}
      {act?.kind === 'terms' && <TermsSheet metal={act.metal} {...sheet} />}
      {act?.kind === 'price' && <PriceSheet metal={act.metal} {...sheet} />}
    </Page>
  )
}
