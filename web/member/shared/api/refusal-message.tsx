import type { ReactNode } from 'react'
import { useLanguage } from '../../../kit/language.tsx'
import { LoadFailed } from '../../../kit/load-states.tsx'
import { AlertNote } from '../../../kit/note.tsx'
import { isOutcomeUnknown, type Refusal } from './refusal.ts'
import { sayRefusal } from './refusal-texts.ts'

interface Props {
  refusal: Refusal | undefined
  // For a lost answer, on a page that knows what a retry does.
  outcomeUnknown?: string
  // Takes the place of the usual sentence.
  children?: ReactNode
}

// Why the last action failed. Empty while there is no refusal.
export function RefusalMessage({ refusal, outcomeUnknown, children }: Props) {
  const { language } = useLanguage()
  const isUnknown = refusal !== undefined && outcomeUnknown !== undefined && isOutcomeUnknown(refusal)
  return (
    <AlertNote look={isUnknown ? 'warn' : 'bad'}>
      {refusal && (isUnknown ? outcomeUnknown : (children ?? sayRefusal(refusal, language)))}
    </AlertNote>
  )
}

export function LoadError({ refusal, onRetry }: { refusal: Refusal; onRetry(): void }) {
  const { language } = useLanguage()
  return <LoadFailed message={sayRefusal(refusal, language)} onRetry={onRetry} />
}
