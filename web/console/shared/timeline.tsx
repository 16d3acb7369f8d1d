import type { ReactNode } from 'react'
import { ExactMoment } from './values.tsx'

export interface TimelineItem {
  id: string
  at: string
  // What happened, in a few words.
  title: ReactNode
  // Who did it and from where, why, what changed.
  detail?: ReactNode
}

// Everything that happened to one object, newest first.
export function Timeline({ items, empty }: { items: readonly TimelineItem[]; empty: string }) {
  if (items.length === 0) return <p className="text-sub">{empty}</p>
  return (
    <ol className="flex flex-col">
      {items.map(({ id, at, title, detail }) => (
        <li key={id} className="flex flex-wrap gap-x-4 border-b border-line py-2 last:border-0">
          <span className="w-40 shrink-0 text-sm text-sub">
            <ExactMoment at={at} />
          </span>
          <div className="min-w-0 flex-1 basis-60">
            <div className="text-[0.9375rem]">{title}</div>
            {detail && <div className="text-sm text-sub">{detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}
