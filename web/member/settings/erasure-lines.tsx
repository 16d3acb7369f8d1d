import { useQuery } from '@tanstack/react-query'
import type { ErasureLine } from '../../../contract/member.gen.ts'
import { date } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { TEXTS } from './texts.ts'

// What is erased at once, and what is kept until when and why: known before the account is closed.
export function ErasureLines() {
  const texts = useTexts(TEXTS)
  const plan = useQuery({ queryKey: ['erasure'], queryFn: () => callApi('GET /erasure') })
  if (plan.isPending) return <Loading lines={4} />
  if (plan.isError) return <LoadError refusal={refusalOf(plan.error)} onRetry={() => plan.refetch()} />
  const of = (outcome: ErasureLine['outcome']) => plan.data.lines.filter((line) => line.outcome === outcome)
  return (
    <div className="flex flex-col gap-3">
      <Lines title={texts.erasedNow} lines={of('erased')} />
      <Lines title={texts.keptStill} lines={of('kept')} />
    </div>
  )
}

function Lines({ title, lines }: { title: string; lines: readonly ErasureLine[] }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  return (
    <section>
      <h3 className="font-semibold">{title}</h3>
      <ul className="mt-1 flex flex-col gap-2">
        {lines.map(({ kind, what, outcome, until, kept, why }) => (
          <li key={kind} className="text-[0.9375rem]">
            <p>{what[language]}</p>
            {/* Without a known day the line says by which rule it ends. */}
            {outcome === 'kept' && (
              <p className="text-sm text-sub">
                {until === null ? kept[language] : texts.keptUntil(date(until, language))}. {why[language]}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
