import { useLanguage } from '../../../kit/language.tsx'
import { LoadFailed } from '../../../kit/load-states.tsx'
import { AlertNote } from '../../../kit/note.tsx'
import { type Refusal, refusalOf } from './refusal.ts'
import { sayRefusal } from './refusal-texts.ts'

// Why the last action failed. Empty while there is no refusal.
export function RefusalMessage({ refusal }: { refusal: Refusal | undefined }) {
  const { language } = useLanguage()
  // Rendered without a refusal, too: a screen reader announces only changes inside a live region that it knows.
  return <AlertNote look="bad">{refusal && sayRefusal(refusal, language)}</AlertNote>
}

// Takes the place of content that could not be loaded.
export function LoadError({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const { language } = useLanguage()
  return <LoadFailed message={sayRefusal(refusalOf(error), language)} onRetry={onRetry} />
}
