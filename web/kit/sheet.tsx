import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, type RefObject, useContext } from 'react'
import { CloseIcon } from './icons.tsx'
import { useTexts } from './language.tsx'
import { SheetsPaused } from './sheets-paused.ts'

const TEXTS = { ko: { close: '닫기' }, en: { close: 'Close' } }

interface Props {
  open: boolean
  onClose(): void
  title: ReactNode
  // The buttons: below the content, always in reach.
  actions?: ReactNode
  children: ReactNode
  // Focused first. Without it the sheet itself takes the focus, so that a screen reader says its title.
  focus?: RefObject<HTMLElement | null>
}

// Slides up from below on a phone, stands in the middle of a larger screen. Focus stays inside and returns to where it was.
export function Sheet({ open, onClose, title, actions, children, focus }: Props) {
  const texts = useTexts(TEXTS)
  const isPaused = useContext(SheetsPaused)
  return (
    <Dialog.Root open={open && !isPaused} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="sheet-backdrop z-30" />
        <Dialog.Popup
          {...(focus ? { initialFocus: focus } : {})}
          className="sheet fixed inset-x-0 bottom-0 z-40 mx-auto flex max-h-[92dvh] max-w-[30rem] flex-col rounded-t-3xl bg-surface outline-none sm:inset-y-0 sm:my-auto sm:h-fit sm:rounded-3xl"
        >
          <div className="flex items-start justify-between gap-2 ps-5 pe-2 pt-3">
            <Dialog.Title className="pt-2.5 text-[min(1.25rem,8vw)] font-bold">{title}</Dialog.Title>
            <Dialog.Close
              aria-label={texts.close}
              className="flex size-12 shrink-0 items-center justify-center rounded-full text-sub hover:bg-ground"
            >
              <CloseIcon />
            </Dialog.Close>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <div tabIndex={0} className="min-h-0 flex-1 overflow-y-auto px-5 pt-2 pb-4 outline-offset-[-3px]">
            {children}
          </div>
          {actions && <div className="safe-bottom flex flex-col gap-2 px-5 pt-1">{actions}</div>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
