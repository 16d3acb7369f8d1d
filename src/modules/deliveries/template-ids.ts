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
  text: `select partner_id, provider, purpose, language, template_id from message_template`,
}

interface TemplateRow {
  partner_id: number | null
  provider: string
  purpose: string
  language: string
  template_id: string
}

// What each provider calls a partner's templates: its own where it has one, the common one otherwise.
export async function listTemplateIds(database: Reader): Promise<FindTemplateIds> {
  const rows = await database.read<TemplateRow & Record<string, unknown>>(TEMPLATE_IDS, [])
  const use = (partnerId: number | null, purpose: string, language: string) =>
    `${partnerId} ${purpose} ${language}`
  const uses = Map.groupBy(rows, (row) => use(row.partner_id, row.purpose, row.language))
  const idsOf = (name: string) =>
    Object.fromEntries((uses.get(name) ?? []).map((row) => [row.provider, row.template_id]))
  return (partnerId, purpose, language) => ({
    ...idsOf(use(null, purpose, language)),
    ...idsOf(use(partnerId, purpose, language)),
  })
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

// Of the languages that partners use, what a provider has no common template for: `solapi reminder en`.
export async function listMissingTemplates(db: Db, providers: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ missing: string }>`
    select concat_ws(' ', p.provider, q.purpose, used.language) as missing
      from unnest(${providers}::text[]) as p (provider)
     cross join unnest(array['gift', 'reminder']) as q (purpose)
     cross join (select distinct message_language from partner where status = 'active') as used (language)
     where not exists (select from message_template t
                        where t.partner_id is null and t.provider = p.provider and t.purpose = q.purpose
                          and t.language = used.language)
     order by 1`.execute(db)
  return rows.map(({ missing }) => missing)
}
