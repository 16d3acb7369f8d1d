import { DatabaseError } from 'pg'

// Thrown where a frozen member would be let in or would move something. The transaction goes with it: nothing is kept of
// what was tried. Every way of opening a session meets it, also those that do not know of it.
export class MemberFrozen extends Error {}

// The database says the same of an act that was under way while its member was frozen.
export function isMemberFrozen(error: unknown): boolean {
  if (error instanceof MemberFrozen) return true
  return error instanceof DatabaseError && error.constraint === 'member_is_frozen'
}
