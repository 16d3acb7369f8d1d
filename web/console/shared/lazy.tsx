import { type Load, lazyComponent } from '../../kit/lazy-component.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Refusal } from './api/refusal.ts'
import { LoadError } from './api/refusal-message.tsx'

const whileLoading = <Loading />
// A file that does not arrive looks like a lost connection to the reader, so it gets the same words.
const failed = (onRetry: () => void) => <LoadError error={new Refusal('offline')} onRetry={onRetry} />

// A page, or a part of one, that loads when it is needed.
export function lazyPart<Props extends object>(load: Load<Props>) {
  return lazyComponent(load, { whileLoading, failed })
}
