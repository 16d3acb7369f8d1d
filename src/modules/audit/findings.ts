// What can be wrong with the audit log, by what it means.
const MEANINGS = {
  entry_edited: 'an entry is not what was sealed',
  entry_deleted: 'an entry is gone',
  entry_inserted: 'an entry is in the log that never waited for the sealer',
  entry_misdated: 'an entry says another day than the entries beside it and its seal',
  link_deleted: 'a position of the chain is gone',
  link_edited: 'a position does not follow from the one before: links were moved, inserted or rewritten',
  private_edited: 'the private part of an entry is not what was sealed',
  private_deleted: 'the private part of an entry is gone without having been erased',
  erased_without_entry: 'the private part of an entry was erased, and no entry says by whom',
  chain_rewritten: 'the chain is not the one that was anchored: entries up to this position were rewritten',
  chain_cut_off: 'the chain ends before a position that was anchored: the entries after its end are gone',
  anchor_forged: 'a line of the anchors was not signed with this key ring',
  anchors_missing: 'the file of anchors is gone, or its beginning or its end',
} as const

type FindingKind = keyof typeof MEANINGS

export const FINDING_KINDS = Object.keys(MEANINGS) as FindingKind[]

export interface Finding {
  kind: FindingKind
  // In the chain; of anchors the position that they name.
  position?: string
  entry?: string
  // Anchors: everything up to this position was found as it was anchored.
  goodTo?: string
  at?: string
}

export function findingText({ kind, position, entry, goodTo, at }: Finding): string {
  const where = [
    position === undefined ? undefined : `position ${position}`,
    entry === undefined ? undefined : `entry ${entry}`,
    goodTo === undefined ? undefined : `after position ${goodTo}`,
    at === undefined ? undefined : `anchored ${at}`,
  ].filter((part) => part !== undefined)
  return `${kind}${where.length > 0 ? ` (${where.join(', ')})` : ''}: ${MEANINGS[kind]}`
}
