import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { describeMembers, type MemberLine } from '#flows/members/describe-members.ts'
import { indexNewPeople } from '#flows/members/index-people.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findMembersBy, type SearchedBy, searchHashes } from '#modules/members/search.ts'

interface FindCommand {
  by: SearchedBy
  text: string
  actor: string
}

const CATCH_UP = 2_000 // a second's work; what a minute of sign-ups leaves to the worker is far less

// Every search is in the audit log before its result is shown: who searched, by what, and whom it found; not what was
// typed. `indexed` is false while some people cannot be found yet. `more` is true if not all that were found are
// here.
export async function findMembers(
  deps: VaultDeps,
  { by, text, actor }: FindCommand,
): Promise<{ members: MemberLine[]; indexed: boolean; more: boolean }> {
  const { all: indexed } = await indexNewPeople(deps, CATCH_UP)
  const found = await withVault(deps, async (tx, vault) => {
    const { ids, more } = await findMembersBy(tx, by, searchHashes(vault, by, text))
    const entry = { actor, action: 'member.find', details: { by, found: ids.length } }
    for (const subject of ids.length > 0 ? ids : ['nobody']) await insertAuditEntry(tx, { ...entry, subject })
    const lines = await describeMembers(tx, vault, ids)
    return { members: ids.map((id) => lines.get(id)!), more }
  })
  return { ...found, indexed }
}
