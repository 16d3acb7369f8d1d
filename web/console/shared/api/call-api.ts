import type { ErrorCode, Operations } from '../../../../contract/console.gen.ts'
import { type Calls, createApi } from '../../../kit/api/create-api.ts'
import { API_PATH } from '../environment.ts'

export type AnswerTo<Key extends keyof Calls<Operations>> = Calls<Operations>[Key]['answer']

export const { callApi, addressOf, watchSession } = createApi<Operations, ErrorCode>(API_PATH)
