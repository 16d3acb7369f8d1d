// Filters, sort and place of a list.
export type Query = Readonly<Record<string, string>>

// Signs that need no escape stay readable.
export function textOf(query: Query): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text.replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%7E', '~')}`
}
