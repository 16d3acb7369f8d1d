import { AUDIT } from '#flows/lists/list-audit.ts'
import { CARDS } from '#flows/lists/list-cards.ts'
import { DELIVERIES } from '#flows/lists/list-deliveries.ts'
import { NOTICES } from '#flows/lists/list-notices.ts'
import { MEMBERS, OWN_USERS, USERS } from '#flows/lists/list-people.ts'
import { ORDERS, WITHDRAWALS } from '#flows/lists/list-trades.ts'
import type { List, ListName } from '#flows/lists/list-types.ts'

export const LISTS: Readonly<Record<ListName, List>> = {
  cards: CARDS,
  members: MEMBERS,
  users: USERS,
  deliveries: DELIVERIES,
  orders: ORDERS,
  withdrawals: WITHDRAWALS,
  audit: AUDIT,
  notices: NOTICES,
}

// The list as this viewer has it: some of it is not for a partner's staff.
export function listFor(name: ListName, { partnerId }: { partnerId: number | null }): List {
  return name === 'users' && partnerId !== null ? OWN_USERS : LISTS[name]
}
