import type { PersonalData } from '#flows/members/collect-data.ts'

export interface DataFile {
  fileName: string
  // JSON, indented, so that it can be read without a program.
  content: string
}

// One file for one person.
export function dataFile(data: PersonalData): DataFile {
  const day = Temporal.Instant.from(data.exportedAt).toZonedDateTimeISO('Asia/Seoul').toPlainDate()
  return { fileName: `ingot-data-${day}.json`, content: `${JSON.stringify(data, null, 2)}\n` }
}
