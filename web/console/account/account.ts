import type { OwnAccount } from '../../../contract/console.gen.ts'
import { callApi } from '../shared/api/call-api.ts'
import { queryClient } from '../shared/session.ts'

// The proof dialog uses the same key: it shows the ways that this account has.
export const ACCOUNT = { queryKey: ['account'], queryFn: () => callApi('GET /account') } as const

// Every act answers with the whole account.
export const keep = (account: OwnAccount) => queryClient.setQueryData(ACCOUNT.queryKey, account)
