import type { ReactNode } from 'react'
import { useTexts } from '../../kit/language.tsx'
import { Heading } from '../../kit/layout.tsx'
import { type Load, lazyComponent } from '../../kit/lazy-component.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Refusal } from './api/refusal.ts'
import { LoadError } from './api/refusal-message.tsx'
import { MemberLayout } from './member-layout.tsx'
import { useSession } from './session/session.ts'

const TEXTS = {
  ko: { title: '이 화면을 불러오지 못했어요' },
  en: { title: 'This page could not be loaded' },
}

// A part of a page that loads later, such as a chart or a sheet.
export function lazyPart<Props extends object>(load: Load<Props>, whileLoading: ReactNode = null) {
  const failed = (onRetry: () => void) => <LoadError refusal={new Refusal('offline')} onRetry={onRetry} />
  return lazyComponent(load, { whileLoading, failed })
}

export function lazyPage(load: Load<object>) {
  const whileLoading = (
    <MemberLayout title="Ingot">
      <Loading />
    </MemberLayout>
  )
  return lazyComponent(load, { whileLoading, failed: (onRetry) => <PageNotLoaded onRetry={onRetry} /> })
}

// For a page that did not load, and for a page that threw while rendering. Back still works, and so does another try.
export function PageNotLoaded({ onRetry }: { onRetry(): void }) {
  const texts = useTexts(TEXTS)
  const tabs = useSession().data?.signedIn ?? false
  return (
    <MemberLayout title={texts.title} back tabs={tabs}>
      <Heading>{texts.title}</Heading>
      <LoadError refusal={new Refusal('offline')} onRetry={onRetry} />
    </MemberLayout>
  )
}
