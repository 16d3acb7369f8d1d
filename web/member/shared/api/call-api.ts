import type { ErrorCode, Operations } from '../../../../contract/member.gen.ts'
import { createApi } from '../../../kit/api/create-api.ts'
import { API_PATH } from '../environment.ts'

export const { callApi, addressOf, watchSession } = createApi<Operations, ErrorCode>(API_PATH)
