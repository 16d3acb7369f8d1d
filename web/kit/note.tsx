import type { ReactNode } from 'react'

export type NoteLook = 'warn' | 'bad' | 'tint'

const LOOKS: Record<NoteLook, string> = {
  warn: 'bg-warn text-warn-ink',
  bad: 'bg-bad text-up',
  tint: 'bg-tint text-body',
}

export function Note({ children, look = 'warn' }: { children: ReactNode; look?: NoteLook }) {
  return <div className={`rounded-2xl px-4 py-3 text-[0.9375rem] ${LOOKS[look]}`}>{children}</div>
}

// A live region stands in the page before its text comes, and is never hidden. A screen reader announces a change inside a
// region that it knows, and may miss a region that arrives together with its text.
export function LiveRegion({ role, children }: { role: 'alert' | 'status'; children: ReactNode }) {
  return (
    <div role={role} className="empty:sr-only">
      {children}
    </div>
  )
}

// An error may stand below the fold, or behind the buttons that stay in view.
function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

// Announces what went wrong and scrolls to it. Without children the empty live region stays in the page.
export function AlertNote({ look, children }: { look: NoteLook; children?: ReactNode }) {
  return (
    <LiveRegion role="alert">
      {children && (
        <div ref={scrollIntoView} className="scroll-mb-32">
          <Note look={look}>{children}</Note>
        </div>
      )}
    </LiveRegion>
  )
}
