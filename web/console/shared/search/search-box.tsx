import { Dialog } from '@base-ui/react/dialog'
import { useEffect, useState } from 'react'
import { useTexts } from '../../../kit/language.tsx'
import { useMay } from '../session.ts'
import { Palette } from './palette.tsx'

const TEXTS = {
  ko: { search: '검색', hint: '번호, ID, 전화번호, 필터', title: '무엇이든 찾기' },
  en: { search: 'Search', hint: 'Number, id, phone, filter', title: 'Find anything' },
}

// For the hint only: both shortcuts work on every machine.
const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent)

// In the header, and under ⌘K or Ctrl+K on every page.
export function SearchBox() {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const isAllowed = may('search.use')
  useEffect(() => {
    // Without the permission the browser keeps its own shortcut.
    if (!isAllowed) return
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.isComposing) return
      event.preventDefault()
      setOpen(true)
    }
    window.addEventListener('keydown', open)
    return () => window.removeEventListener('keydown', open)
  }, [isAllowed])
  if (!isAllowed) return null
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger className="flex min-h-10 min-w-0 flex-1 items-center justify-between gap-3 rounded-xl bg-quiet px-3 text-[0.9375rem] text-sub hover:bg-line sm:max-w-96">
        <span className="truncate">
          <span className="sr-only">{texts.search}: </span>
          {texts.hint}
        </span>
        <kbd className="hidden shrink-0 font-code text-[0.8125rem] sm:block">{IS_MAC ? '⌘K' : 'Ctrl K'}</kbd>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="sheet-backdrop z-30" />
        <Dialog.Popup className="fixed inset-x-0 top-0 z-40 mx-auto flex max-h-dvh w-full max-w-2xl flex-col overflow-hidden bg-surface outline-none sm:top-[10vh] sm:max-h-[75vh] sm:rounded-2xl">
          <Dialog.Title className="sr-only">{texts.title}</Dialog.Title>
          <Palette onDone={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
