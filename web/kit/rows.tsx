import type { ReactNode } from 'react'

export interface Row {
  name: string
  value: ReactNode
  strong?: boolean
}

// Names on the left, values on the right. A long value wraps below its name.
export function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <dl className="flex flex-col">
      {rows.map(({ name, value, strong }) => (
        <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
          <dt className="text-sub">{name}</dt>
          <dd className={`ms-auto text-end ${strong ? 'font-bold' : 'font-medium'}`}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
