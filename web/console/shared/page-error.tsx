import { useTexts } from '../../kit/language.tsx'
import { refusalOf } from './api/refusal.ts'
import { LoadError } from './api/refusal-message.tsx'
import { Page } from './page.tsx'

const TEXTS = {
  ko: { not_found: '찾을 수 없습니다', forbidden: '권한이 없습니다', other: '불러오지 못했습니다' },
  en: { not_found: 'Not found', forbidden: 'Not allowed', other: 'Could not be loaded' },
}

// Takes the place of a whole page. It has a title of its own: the tab would keep that of the page before.
export function PageError({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const texts = useTexts(TEXTS)
  const { code } = refusalOf(error)
  const title = code === 'not_found' || code === 'forbidden' ? texts[code] : texts.other
  return (
    <Page title={title}>
      <LoadError error={error} onRetry={onRetry} />
    </Page>
  )
}
