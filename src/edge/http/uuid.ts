import type { TSchemaOptions } from 'typebox'
import { UUID_PATTERN } from '#base/ids.ts'
import { Type } from '#edge/http/json-schema.ts'

// For Ajv (validation.ts): it writes the value back in small letters.
export const LOWERCASE = 'x-lowercase'

// Every UUID that goes in or out. From here on it is in small letters. The same UUID in capitals must not count as
// another, as the key of a queue or beside an id that we hold.
export function uuid(options: TSchemaOptions = {}) {
  return Type.String({ pattern: UUID_PATTERN, [LOWERCASE]: true, ...options })
}
