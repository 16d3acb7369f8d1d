import { useEffect } from 'react'

// After a form was sent, the first field that is wrong gets the focus: at once, or when the service's answer says so. For
// every form of these pages; whoever has gone on to do something else meanwhile is left alone.
export function useFocusFirstInvalid(): void {
  useEffect(() => {
    let watching: MutationObserver | undefined
    const stop = () => watching?.disconnect()
    const watch = ({ target }: Event) => {
      const look = () =>
        (target as HTMLFormElement).querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
      stop()
      watching = new MutationObserver(look)
      watching.observe(target as HTMLFormElement, { subtree: true, attributeFilter: ['aria-invalid'] })
      // What was wrong before and still is changes nothing that could be watched.
      setTimeout(look)
    }
    const acts = ['input', 'keydown', 'pointerdown']
    document.addEventListener('submit', watch)
    for (const act of acts) document.addEventListener(act, stop, true)
    return () => {
      stop()
      document.removeEventListener('submit', watch)
      for (const act of acts) document.removeEventListener(act, stop, true)
    }
  }, [])
}
