import Type, { type TSchemaOptions } from 'typebox'
import { UUID_PATTERN } from '#base/ids.ts'

// For Ajv (validation.ts): the value is written back in small letters.
export const LOWERCASE = 'x-lowercase'

// Every UUID that goes in or out. One that comes in is in small letters from here on: as the key of a queue, or beside an
// id that we hold, the same UUID in capitals must not count as another.
export function uuid(options: TSchemaOptions = {}) {
  return Type.String({ pattern: UUID_PATTERN, [LOWERCASE]: true, ...options })
}
