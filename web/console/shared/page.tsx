import { type ReactNode, useEffect } from 'react'

interface Props {
  title: string
  // Under the title: what this page is, or the state of its object.
  sub?: ReactNode
  // Buttons beside the title.
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, sub, actions, children }: Props) {
  // One document serves all pages, so each page sets the title of the tab itself.
  useEffect(() => {
    document.title = `${title} · Ingot`
  }, [title])
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h1 className="text-xl leading-snug font-bold tracking-tight">{title}</h1>
          {sub && <div className="text-[0.9375rem] text-sub">{sub}</div>}
        </div>
        {actions && <div className="no-print flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

interface SectionProps {
  title: string
  // Beside the title: a moment, a link to the rows behind the figures.
  aside?: ReactNode
  children: ReactNode
}

export function Section({ title, aside, children }: SectionProps) {
  return (
    <section aria-label={title} className="min-w-0 rounded-2xl bg-surface p-4 sm:p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 pb-2">
        <h2 className="font-bold">{title}</h2>
        {aside && <div className="text-sm text-sub">{aside}</div>}
      </div>
      {children}
    </section>
  )
}

// Sections side by side where there is room.
export function Sections({ children }: { children: ReactNode }) {
  return <div className="grid gap-4 xl:grid-cols-2">{children}</div>
}
