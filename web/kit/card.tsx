import type { ReactNode } from 'react'

export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <section className={`rounded-[1.25rem] bg-surface p-5 sm:p-6 ${className}`}>{children}</section>
}

// Cards below each other. A larger screen has two columns, balanced by the browser.
export function Columns({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col gap-3 md:block md:columns-2 md:gap-4 md:*:mb-4 md:*:break-inside-avoid">
      {children}
    </div>
  )
}
