import type { Database } from '#base/db.ts'
import { Refused } from '#flows/kit/refused.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findOtherUse, setTemplateId, type TemplateUse } from '#modules/deliveries/template-ids.ts'
import { findPartner } from '#modules/partners/store.ts'

export interface TemplateCommand extends Omit<TemplateUse, 'partnerId'> {
  // Null: for every partner that has none of its own.
  partner: string | null
  // Null takes it away.
  templateId: string | null
  actor: string
}

// Records a provider's id of the template that it has approved.
export function setMessageTemplate(database: Database, command: TemplateCommand): Promise<void> {
  const { partner: code, templateId, actor, ...named } = command
  if (templateId !== null && !/^[\w.:-]{1,100}$/.test(templateId)) {
    throw new Refused('a template id has 1 to 100 letters, digits, dots, colons, hyphens or underscores')
  }
  return database.withTransaction(async (tx) => {
    const partner = code === null ? null : await findPartner(tx, code)
    if (partner === undefined) throw new Refused(`there is no partner ${code}`)
    const use = { ...named, partnerId: partner?.id ?? null }
    const other = templateId === null ? undefined : await findOtherUse(tx, use, templateId)
    // As a script of an earlier release would do, whose id is that of the text before.
    if (other) {
      throw new Refused(
        `${templateId} is the id of ${other.purpose} ${other.language} version ${other.version}: each text is registered on its own`,
      )
    }
    await setTemplateId(tx, use, templateId)
    await insertAuditEntry(tx, {
      actor,
      action: 'template.set',
      subject: code ?? 'installation',
      details: { ...named, templateId },
    })
  })
}
