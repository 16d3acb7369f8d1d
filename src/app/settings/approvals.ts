import type { Mode, SettingSource } from './setting-source.ts'

// What takes two people, as far as it is the operator's to say. It is read from the environment, so that nobody who approves
// can change it.
export interface ApprovalSettings {
  // From this amount on a card is taken back by two people.
  voidFrom: bigint
  // In the console of a sandbox one person may be both, so that one who tries it out gets to the end. Every page says so.
  singlePerson: boolean
}

const VOID_FROM = '500000'

export function readApprovals({ get, refuse }: SettingSource, mode: Mode): ApprovalSettings {
  const voidFrom = get('VOID_APPROVAL_FROM') ?? VOID_FROM
  if (!/^\d{1,15}$/.test(voidFrom)) refuse('VOID_APPROVAL_FROM', 'is not a whole number of won')
  const single = get('SINGLE_PERSON') ?? (mode === 'sandbox' ? 'on' : 'off')
  if (single !== 'on' && single !== 'off') refuse('SINGLE_PERSON', 'is not on or off')
  if (single === 'on' && mode === 'live')
    refuse('SINGLE_PERSON', 'is on: in live mode what takes two people takes two')
  return { voidFrom: /^\d{1,15}$/.test(voidFrom) ? BigInt(voidFrom) : 0n, singlePerson: single === 'on' }
}
