import type { ErrorCode, Operations } from '../../../../contract/console.gen.ts'
import { createApi } from '../../../kit/api/create-api.ts'
import { API_PATH } from '../environment.ts'

export const { callApi, watchSession } = createApi<Operations, ErrorCode>(API_PATH)
