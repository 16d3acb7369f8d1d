import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { Refusal } from './api.ts'
import { useTexts } from './language.tsx'
import { Loading, Trouble } from './parts.tsx'
import { SITE } from './place.ts'
import { Heading, Screen } from './screen.tsx'
import { useSession } from './session.tsx'

const TEXTS = {
  ko: { title: '이 화면을 불러오지 못했어요' },
  en: { title: 'This page could not be loaded' },
}

interface Looks {
  whileLoading: ReactNode
  // In place of what did not arrive.
  failed(onRetry: () => void): ReactNode
}

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

// A part of the pages that is loaded when it is needed. Without a network it says so and can be tried again: nothing else
// on the page is lost. React's own lazy() remembers a failure for good.
function lazyComponent<Props extends object>(load: Load<Props>, looks: Looks) {
  let Part: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  // Never rejects: whether it is there is seen when it is shown.
  function preload(): Promise<void> {
    loading ??= load()
      .then((module) => {
        Part = module.default
      })
      .catch(() => {})
      .finally(() => {
        loading = undefined
      })
    return Part ? Promise.resolve() : loading
  }
  function Lazy(props: Props) {
    const [isLoading, setLoading] = useState(!Part)
    useEffect(() => {
      if (isLoading) void preload().then(() => setLoading(false))
    }, [isLoading])
    if (Part) return <Part {...props} />
    return isLoading ? looks.whileLoading : looks.failed(() => setLoading(true))
  }
  return Object.assign(Lazy, { preload, isLoaded: () => Part !== undefined })
}

export function lazyPart<Props extends object>(load: Load<Props>, whileLoading: ReactNode = null) {
  const failed = (onRetry: () => void) => <Trouble refusal={new Refusal('offline')} onRetry={onRetry} />
  return lazyComponent(load, { whileLoading, failed })
}

export function lazyPage(load: Load<object>) {
  const whileLoading = (
    <Screen title="Ingot">
      <Loading />
    </Screen>
  )
  return lazyComponent(load, { whileLoading, failed: (onRetry) => <Unloaded onRetry={onRetry} /> })
}

// Also for a page that broke: going back works, and so does another try.
export function Unloaded({ onRetry }: { onRetry(): void }) {
  const texts = useTexts(TEXTS)
  const tabs = useSession().data?.signedIn ?? false
  return (
    <Screen title={texts.title} back tabs={tabs}>
      <Heading>{texts.title}</Heading>
      <Trouble refusal={new Refusal('offline')} onRetry={onRetry} />
    </Screen>
  )
}

// A reload without a network would leave nothing of the page.
export async function isReachable(): Promise<boolean> {
  const asked = fetch(`${SITE}/static/icon.svg`, { method: 'HEAD', cache: 'no-store' })
  return asked.then(({ ok }) => ok).catch(() => false)
}
