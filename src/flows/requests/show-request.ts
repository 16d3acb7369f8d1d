import type { Database } from '#base/db/db.ts'
import { isShown, type RequestReader } from '#modules/requests/rules.ts'
import { findApiRequest } from '#modules/requests/store.ts'
import type { KeptRequest } from '#modules/requests/types.ts'

export type ShowRequest = (question: { id: string } & RequestReader) => Promise<KeptRequest | undefined>

// One request of an API. One that the reader may not see is not there.
export function createShowRequest({ db }: Database): ShowRequest {
  return async ({ id, ...reader }) => {
    const request = await findApiRequest(db, id)
    return request && isShown(request, reader) ? request : undefined
  }
}
