import { useEffect } from 'react'

// After a form was submitted, its first invalid field gets the focus: at once, or when the service's answer marks it. One
// listener serves every form. A reader who types or clicks meanwhile keeps the focus.
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
      // A field that was invalid before and still is changes no attribute, so no mutation is observed.
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
