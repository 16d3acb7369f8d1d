export type Check = (path: string, text: string) => string[]

// The file it is planted in, the text, and what must be said of it ('' for nothing).
type Planted = readonly [path: string, text: string, said: RegExp | '']

export type PlantedCheck = readonly [name: string, check: Check, cases: readonly Planted[]]
