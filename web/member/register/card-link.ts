import { useSyncExternalStore } from 'react'
import { BASE_PATH } from '../../kit/environment.ts'
import { IN_WEB_VIEW } from '../shared/environment.ts'

// The code in a message's link is worth as much as the card's PIN. It leaves the address before the first render and stays
// in memory until the service has it: never in storage, a query string or the history.
const CODE = /^#([a-z2-7]{10,100})$/

let code = take()
const listeners = new Set<() => void>()

function take(): string | undefined {
  const { hash, pathname, search } = window.location
  const [, found] = CODE.exec(hash) ?? []
  // Other pages have fragments of their own.
  if (found === undefined || IN_WEB_VIEW || pathname !== `${BASE_PATH}/`) return undefined
  // The state belongs to the router and stays.
  window.history.replaceState(window.history.state, '', `${pathname}${search}`)
  return found
}

function change(next: string | undefined): void {
  code = next
  for (const listener of listeners) listener()
}

// A second link, pasted into this page's address, changes the fragment without a reload.
window.addEventListener('hashchange', () => {
  const found = take()
  if (found !== undefined) change(found)
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useCardLink = () => useSyncExternalStore(subscribe, () => code)

export const dropCardLink = () => change(undefined)
