import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { BASE_PATH } from './environment.ts'

interface Looks {
  whileLoading: ReactNode
  // Takes the place of a component that did not arrive.
  failed(onRetry: () => void): ReactNode
}

export type Load<Props> = () => Promise<{ default: ComponentType<Props> }>

// A component that is loaded when it is needed. React's own lazy() remembers a failure for good. This one shows the failure
// in its own place and can try again, so that the rest of the page survives a lost connection.
export function lazyComponent<Props extends object>(load: Load<Props>, looks: Looks) {
  let Loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  // Never rejects: rendering looks whether the component is there.
  function preload(): Promise<void> {
    loading ??= load()
      .then((module) => {
        Loaded = module.default
      })
      .catch(() => {})
      .finally(() => {
        loading = undefined
      })
    return Loaded ? Promise.resolve() : loading
  }
  function Lazy(props: Props) {
    const [isLoading, setLoading] = useState(!Loaded)
    useEffect(() => {
      if (!isLoading) return
      void preload().then(async () => {
        const isLeaving = !Loaded && (await reloadOnce())
        if (!isLeaving) setLoading(false)
      })
    }, [isLoading])
    if (Loaded) return <Loaded {...props} />
    return isLoading ? looks.whileLoading : looks.failed(() => setLoading(true))
  }
  return Object.assign(Lazy, { preload, isLoaded: () => Loaded !== undefined })
}

// The network is there, and the file did not come. Either a release has replaced the files that this document names, or the
// browser remembers that a file failed: Chromium 153 does so for a document's life. A new document helps in both cases.
// Only once in ten seconds, or a file that is truly missing would reload forever.
async function reloadOnce(): Promise<boolean> {
  const { timeOrigin } = performance
  const again = Number(window.history.state?.reloadedAt ?? 0)
  if (timeOrigin - again < 10_000 || !(await isReachable())) return false
  window.history.replaceState({ ...window.history.state, reloadedAt: timeOrigin }, '')
  window.location.reload()
  return true
}

// Asked before a reload: without a network it would leave an empty page.
export async function isReachable(): Promise<boolean> {
  const asked = fetch(`${BASE_PATH}/static/icon.svg`, { method: 'HEAD', cache: 'no-store' })
  return asked.then(({ ok }) => ok).catch(() => false)
}
