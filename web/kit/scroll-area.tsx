import type { ReactNode } from 'react'

// A part of the page that scrolls by itself takes the focus, so that the keyboard can scroll it.
export function ScrollArea(props: { label: string; className?: string; children: ReactNode }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      aria-label={props.label}
      className={`overflow-auto ${props.className ?? ''}`}
    >
      {props.children}
    </section>
  )
}
