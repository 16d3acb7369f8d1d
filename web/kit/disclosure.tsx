import type { ReactNode } from 'react'
import { NextIcon } from './icons.tsx'

// For details that few readers want: one tap opens them.
export function Disclosure({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className="group/fold">
      <summary className="flex min-h-12 list-none items-center justify-between gap-2 rounded-xl font-medium text-sub hover:text-ink [&::-webkit-details-marker]:hidden">
        {summary}
        <NextIcon className="size-5 shrink-0 rotate-90 transition-transform group-open/fold:-rotate-90" />
      </summary>
      {children}
    </details>
  )
}
