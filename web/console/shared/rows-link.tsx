import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export interface RowsPlace {
  to: string
  // Filters of the list, as they stand in its address.
  search?: Readonly<Record<string, string>>
  hash?: string
}

// From a figure to the rows behind it. Lists read their filters from the address, so any page may name them.
export function RowsLink({
  place,
  children,
  className = '',
}: {
  place: RowsPlace
  children: ReactNode
  className?: string
}) {
  // The router types the search of known routes only. Filters differ from list to list.
  const target = { to: place.to, search: place.search ?? {}, hash: place.hash } as unknown as LinkProps
  return (
    <Link
      {...target}
      className={`text-link underline decoration-line underline-offset-2 hover:decoration-current ${className}`}
    >
      {children}
    </Link>
  )
}
