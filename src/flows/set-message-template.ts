import type { Database } from '#base/db.ts'
import { Refused } from '#flows/refused.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { setTemplateId, type TemplateUse } from '#modules/deliveries/template-ids.ts'
import { findPartner } from '#modules/partners/store.ts'

export interface TemplateCommand extends Omit<TemplateUse, 'partnerId'> {
  // Null: for every partner that has none of its own.
  partner: string | null
  // Null takes it away.
  templateId: string | null
  actor: string
}

// What a provider calls the template that it has approved.
export function setMessageTemplate(database: Database, command: TemplateCommand): Promise<void> {
  const { partner: code, templateId, actor, ...use } = command
  if (templateId !== null && !/^[\w.:-]{1,100}$/.test(templateId)) {
    throw new Refused('a template id has 1 to 100 letters, digits, dots, colons, hyphens or underscores')
  }
  return database.withTransaction(async (tx) => {
    const partner = code === null ? null : await findPartner(tx, code)
    if (partner === undefined) throw new Refused(`there is no partner ${code}`)
    await setTemplateId(tx, { ...use, partnerId: partner?.id ?? null }, templateId)
    await insertAuditEntry(tx, {
      actor,
      action: 'template.set',
      subject: code ?? 'installation',
      details: { ...use, templateId },
    })
  })
}
