import { sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db.ts'
import type { MessageLanguage, MessagePurpose } from '#modules/deliveries/messages/types.ts'

// Which of a provider's templates: of one partner, or null for all that have none of their own.
export interface TemplateUse {
  partnerId: number | null
  provider: 'solapi' | 'nhn'
  purpose: MessagePurpose
  language: MessageLanguage
}

export type TemplateIds = Readonly<Record<string, string>>
export type FindTemplateIds = (partnerId: number, purpose: string, language: string) => TemplateIds

const TEMPLATE_IDS = {
  name: 'message_template_ids',
  text: `select partner_id, provider, purpose, language, template_id from message_template
          where partner_id is null or partner_id = any($1::int[])
          order by partner_id nulls first`,
}

interface TemplateRow {
  partner_id: number | null
  provider: string
  purpose: string
  language: string
  template_id: string
}

// What each provider calls a partner's templates: its own where it has one, the common one otherwise.
export async function findTemplateIds(
  database: Reader,
  partnerIds: readonly number[],
): Promise<FindTemplateIds> {
  const rows = await database.read<TemplateRow & Record<string, unknown>>(TEMPLATE_IDS, [partnerIds])
  return (partnerId, purpose, language) =>
    Object.fromEntries(
      rows
        .filter((row) => row.purpose === purpose && row.language === language)
        .filter((row) => row.partner_id === null || row.partner_id === partnerId)
        .map((row) => [row.provider, row.template_id]),
    )
}

export async function setTemplateId(tx: Tx, use: TemplateUse, templateId: string | null): Promise<void> {
  const { partnerId, provider, purpose, language } = use
  await sql`delete from message_template where partner_id is not distinct from ${partnerId}
    and provider = ${provider} and purpose = ${purpose} and language = ${language}`.execute(tx)
  if (templateId === null) return
  await tx
    .insertInto('message_template')
    .values({ partner_id: partnerId, provider, purpose, language, template_id: templateId })
    .execute()
}

export function listTemplateUses(db: Db) {
  return db
    .selectFrom('message_template')
    .leftJoin('partner', 'partner.id', 'message_template.partner_id')
    .select(['partner.code as partner', 'provider', 'purpose', 'language', 'template_id as templateId'])
    .orderBy('partner.code', (order) => order.asc().nullsFirst())
    .orderBy('provider')
    .orderBy('purpose')
    .orderBy('language')
    .execute()
}
