import type { ErrorCode } from '../../../../contract/console.gen.ts'
import { Refusal as AnyRefusal } from '../../../kit/api/refusal.ts'

// The kit's class with the console's error codes. Value and type share the name, as with any class.
export const Refusal = AnyRefusal<ErrorCode>
export type Refusal = AnyRefusal<ErrorCode>

export function refusalOf(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('offline')
}
