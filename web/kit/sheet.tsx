import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { CloseIcon } from './icons.tsx'
import { useTexts } from './language.tsx'
import { useIsAsking } from './step-up.tsx'

const TEXTS = { ko: { close: '닫기' }, en: { close: 'Close' } }

interface Props {
  open: boolean
  onClose(): void
  title: ReactNode
  // What is below the rest, always in reach: the buttons.
  actions?: ReactNode
  children: ReactNode
  // What is focused first; else the sheet itself, so that its title is read out.
  focus?: RefObject<HTMLElement | null>
}

// From below on a phone, in the middle of a desk. Focus stays inside and goes back to where it came from.
export function Sheet({ open, onClose, title, actions, children, focus }: Props) {
  const texts = useTexts(TEXTS)
  const isAsking = useIsAsking()
  return (
    <Dialog.Root open={open && !isAsking} onOpenChange={(next) => next || onClose()}>
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
