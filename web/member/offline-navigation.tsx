import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTexts } from '../kit/language.tsx'
import { isReachable } from '../kit/lazy-component.tsx'
import { Refusal } from './shared/api/refusal.ts'
import { LoadError } from './shared/api/refusal-message.tsx'

const TEXTS = {
  ko: { title: '이 화면을 불러오지 못했어요' },
  en: { title: 'This page could not be loaded' },
}

// A page made by lazyPage(); others have neither method.
interface Page {
  preload?(): Promise<void>
  isLoaded?(): boolean
}

// Blocks a link to a page that is not loaded and cannot be loaded now. The reader stays on the page, with a message and a
// retry.
export function OfflineNavigation() {
  const router = useRouter()
  const texts = useTexts(TEXTS)
  const [wanted, setWanted] = useState<string>()
  useEffect(
    () =>
      router.history.block({
        // Only links between pages are blocked, not leaving the site.
        enableBeforeUnload: false,
        blockerFn: async ({ nextLocation, action }) => {
          const [, , foundRoute] = router.getMatchedRoutes(router.parseLocation(nextLocation).pathname)
          // Back and Forward lead to pages that were shown before, so these are loaded.
          const stays =
            action === 'PUSH' && !(await canShow(foundRoute?.options.component as Page | undefined))
          setWanted(stays ? nextLocation.href : undefined)
          return stays
        },
      }),
    [router],
  )
  // The network is back: the reader taps again, or has gone on reading.
  useEffect(() => {
    const clear = () => setWanted(undefined)
    window.addEventListener('online', clear)
    return () => window.removeEventListener('online', clear)
  }, [])
  if (!wanted) return null
  return (
    <section
      aria-label={texts.title}
      className="no-print safe-x fixed inset-x-0 bottom-20 z-30 mx-auto max-w-[30rem] rounded-3xl *:shadow-lg md:bottom-6"
    >
      <LoadError refusal={new Refusal('offline')} onRetry={() => router.history.push(wanted)} />
    </section>
  )
}

// If the network is there, the router loads the page and shows its own progress.
async function canShow(page: Page | undefined): Promise<boolean> {
  // A page of the first script has nothing left to load.
  if (!page?.preload || page.isLoaded?.()) return true
  const reachable = isReachable()
  // Whichever is known first: the page has loaded, or the network answers.
  await Promise.race([page.preload(), reachable])
  return page.isLoaded?.() || reachable
}
