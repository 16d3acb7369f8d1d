import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { useTexts } from './language.tsx'

const TEXTS = {
  ko: { retry: '다시 시도하기', loading: '불러오는 중' },
  en: { retry: 'Try again', loading: 'Loading' },
}

const SKELETON = ['w-2/5', 'w-full', 'w-3/4', 'w-11/12', 'w-2/3', 'w-4/5']

export function Loading({ lines = 3 }: { lines?: number }) {
  const texts = useTexts(TEXTS)
  return (
    <Card className="flex flex-col gap-4">
      <span role="status" className="sr-only">
        {texts.loading}
      </span>
      {SKELETON.slice(0, lines).map((width) => (
        <div key={width} aria-hidden="true" className={`skeleton h-6 ${width}`} />
      ))}
    </Card>
  )
}

// Takes the place of content that could not be loaded.
export function LoadFailed({ message, onRetry }: { message: string; onRetry(): void }) {
  const texts = useTexts(TEXTS)
  return (
    <Card className="flex flex-col gap-4">
      <p role="alert" className="text-body">
        {message}
      </p>
      <Button look="quiet" onClick={onRetry}>
        {texts.retry}
      </Button>
    </Card>
  )
}
