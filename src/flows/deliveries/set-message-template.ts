import type { Database } from '#base/db/db.ts'
import { type NoPartner, type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import {
  findOtherUse,
  findTemplateId,
  setTemplateId,
  type TemplateUse,
} from '#modules/deliveries/template-ids.ts'
import { findPartner } from '#modules/partners/store.ts'

export interface TemplateCommand extends Omit<TemplateUse, 'partnerId'> {
  // Null: for every partner that has none of its own.
  partner: string | null
  // Null takes it away.
  templateId: string | null
  actor: string
}

export type TemplateRefusal =
  | NoPartner
  | Refusal<'template_id_invalid'>
  // The id is that of another text.
  | Refusal<'template_id_taken', { templateId: string; other: OtherUse }>

type OtherUse = NonNullable<Awaited<ReturnType<typeof findOtherUse>>>

// Records a provider's id of the template that it has approved.
export async function setMessageTemplate(
  database: Database,
  command: TemplateCommand,
): Promise<{ kind: 'done' } | TemplateRefusal> {
  const { partner: code, templateId, actor, ...named } = command
  if (templateId !== null && !/^[\w.:-]{1,100}$/.test(templateId)) {
    return refused('template_id_invalid')
  }
  return withOutcome(database, async (tx) => {
    const partner = code === null ? null : await findPartner(tx, code)
    if (partner === undefined) return refused('partner_not_found', { partner: code! })
    const use = { ...named, partnerId: partner?.id ?? null }
    const other = templateId === null ? undefined : await findOtherUse(tx, use, templateId)
    // As a script of an earlier release would do, whose id is that of the text before.
    if (other) return refused('template_id_taken', { templateId: templateId!, other })
    const before = await findTemplateId(tx, use)
    await setTemplateId(tx, use, templateId)
    await insertAuditEntry(tx, {
      actor,
      action: 'template.set',
      subject: code ?? 'installation',
      details: { ...named },
      before: { templateId: before ?? null },
      after: { templateId },
    })
    return { kind: 'done' }
  })
}
