import type { Tx } from '#base/db/db.ts'
import { findStaffOf } from '#flows/kit/two-people.ts'
import { originText } from '#modules/approvals/rules.ts'
import { insertRequest, type NewRequest } from '#modules/approvals/store.ts'
import type { ChangeRequest, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

interface Maker extends Person {
  reason: string | null
}

type Wanted = Pick<NewRequest, 'kind' | 'subject' | 'payload' | 'basis'> & { action: string }

// A change that takes a second person. What the machine saw of the maker is kept with the request, where the approval
// compares it, and in the audit log, which outlives it.
export async function requestChange(
  tx: Tx,
  { action, ...wanted }: Wanted,
  { reason, ...maker }: Maker,
): Promise<{ kind: 'waiting'; request: ChangeRequest }> {
  const { actor, origin } = maker
  const request = await insertRequest(tx, {
    ...wanted,
    maker: actor,
    makerOrigin: origin,
    makerStaff: await findStaffOf(tx, maker),
    reason: reason ?? 'none given',
  })
  await insertAuditEntry(tx, {
    actor,
    action,
    subject: wanted.subject,
    details: { reason, request: request.id, seen: originText(origin) },
    before: wanted.basis,
    after: wanted.payload,
  })
  return { kind: 'waiting', request }
}
