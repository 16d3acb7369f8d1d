import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  title: string
  cell(row: Row): ReactNode
  // Figures stand at the end of their cell.
  figure?: boolean
  // In place of the plain title: a button that sorts, say.
  header?: ReactNode
  sorted?: 'ascending' | 'descending'
}

interface Props<Row> {
  // What the table shows, for screen readers.
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
  // Shown in place of rows: says what to do.
  empty: ReactNode
}

// A table on a larger screen. On a phone each row is a block of names and values.
export function DataTable<Row>({ caption, columns, rows, keyOf, empty }: Props<Row>) {
  if (rows.length === 0) return <div className="rounded-2xl bg-surface p-6 text-center text-sub">{empty}</div>
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark beside the one around it
    <div
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={caption}
      // relative: words for screen readers only would otherwise stick out of it, and the page would scroll sideways.
      className="relative overflow-x-auto rounded-2xl bg-surface"
    >
      <table className="w-full text-[0.9375rem] max-sm:block">
        <caption className="sr-only">{caption}</caption>
        <thead className="max-sm:sr-only">
          <tr className="border-b border-line text-start text-sm text-sub">
            {columns.map(({ key, title, header, figure, sorted }) => (
              <th
                key={key}
                scope="col"
                aria-sort={sorted}
                className={`px-2 py-2 font-medium whitespace-nowrap first:ps-3 last:pe-3 xl:px-3 ${figure ? 'text-end' : 'text-start'}`}
              >
                {header ?? title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className="border-b border-line last:border-0 hover:bg-ground max-sm:block max-sm:px-4 max-sm:py-3"
            >
              {columns.map(({ key, title, cell, figure }) => (
                <td
                  key={key}
                  className={`px-2 py-2 align-baseline first:ps-3 last:pe-3 xl:px-3 max-sm:flex max-sm:justify-between max-sm:gap-4 max-sm:px-0 max-sm:py-0.5 ${figure ? 'text-end' : ''}`}
                >
                  {/* Only for the eye: to a screen reader the header cells name the columns on a phone, too. */}
                  <span aria-hidden="true" className="text-sm text-sub sm:hidden">
                    {title}
                  </span>
                  <span className="max-sm:text-end">{cell(row)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
