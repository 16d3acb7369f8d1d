import { sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import { type Template, templatesOf } from '#modules/deliveries/messages/templates.ts'
import {
  MESSAGE_PURPOSES,
  type MessageLanguage,
  type MessagePurpose,
} from '#modules/deliveries/messages/types.ts'

// Which of a provider's templates: of one partner, or null for all that have none of their own.
export interface TemplateUse {
  partnerId: number | null
  provider: 'solapi' | 'nhn'
  purpose: MessagePurpose
  language: MessageLanguage
  version: number
}

interface Registered {
  template: Template
  templateId: string
}

// What a provider has registered for a partner's message. `begunWith`: the version of its attempts so far.
export type FindRegistered = (
  provider: string,
  partnerId: number,
  message: { purpose: MessagePurpose; language: MessageLanguage; begunWith: number | null },
) => Registered | undefined

const REGISTRATIONS = {
  name: 'template_registrations',
  text: `select partner_id, provider, purpose, language, version, template_id from template_registration`,
}

interface RegistrationRow {
  partner_id: number | null
  provider: string
  purpose: string
  language: string
  version: number
  template_id: string
}

const nameOf = (partnerId: number | null, ...use: readonly (string | number)[]) =>
  [partnerId, ...use].join(' ')

// A message keeps the version it was begun with; a new one takes the newest version that the provider has registered. Of
// that version, the partner's own id goes before the common one.
export async function listRegistered(database: Reader): Promise<FindRegistered> {
  const rows = await database.read<RegistrationRow & Record<string, unknown>>(REGISTRATIONS, [])
  const ids = new Map(
    rows.map((row) => [
      nameOf(row.partner_id, row.provider, row.purpose, row.language, row.version),
      row.template_id,
    ]),
  )
  return (provider, partnerId, { purpose, language, begunWith }) => {
    const registered = templatesOf(purpose, language).flatMap((template) => {
      const use = [provider, purpose, language, template.version]
      const templateId = ids.get(nameOf(partnerId, ...use)) ?? ids.get(nameOf(null, ...use))
      return templateId === undefined ? [] : [{ template, templateId }]
    })
    return registered.find(({ template }) => template.version === begunWith) ?? registered[0]
  }
}

export async function findTemplateId(db: Db, use: TemplateUse): Promise<string | undefined> {
  const { partnerId, provider, purpose, language, version } = use
  const { rows } = await sql<{ id: string }>`select template_id as id from template_registration
    where partner_id is not distinct from ${partnerId} and provider = ${provider} and purpose = ${purpose}
      and language = ${language} and version = ${version}`.execute(db)
  return rows[0]?.id
}

export async function setTemplateId(tx: Tx, use: TemplateUse, templateId: string | null): Promise<void> {
  const { partnerId, provider, purpose, language, version } = use
  await sql`delete from template_registration where partner_id is not distinct from ${partnerId}
    and provider = ${provider} and purpose = ${purpose} and language = ${language}
    and version = ${version}`.execute(tx)
  if (templateId === null) return
  await tx
    .insertInto('template_registration')
    .values({ partner_id: partnerId, provider, purpose, language, version, template_id: templateId })
    .execute()
}

// Another text that a provider knows by this id; undefined if there is none.
export function findOtherUse(
  tx: Tx,
  { provider, purpose, language, version }: TemplateUse,
  templateId: string,
) {
  return tx
    .selectFrom('template_registration')
    .select(['purpose', 'language', 'version'])
    .where('provider', '=', provider)
    .where('template_id', '=', templateId)
    .where((where) =>
      where.or([
        where('purpose', '<>', purpose),
        where('language', '<>', language),
        where('version', '<>', version),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
}

export function listTemplateUses(db: Db) {
  return db
    .selectFrom('template_registration')
    .leftJoin('partner', 'partner.id', 'template_registration.partner_id')
    .select(['partner.code as partner', 'provider', 'purpose', 'language', 'version'])
    .select('template_id as templateId')
    .orderBy('partner.code', (order) => order.asc().nullsFirst())
    .orderBy('provider')
    .orderBy('purpose')
    .orderBy('language')
    .orderBy('version')
    .execute()
}

export interface Unregistered {
  provider: string
  template: Template
  // The version that is sent until then; null if there is none.
  sends: number | null
}

interface UnregisteredRow {
  provider: string
  language: MessageLanguage
  purpose: MessagePurpose
  newest: number | null
}

// The newest texts, in the languages that partners use, for which a provider has no common template.
export async function listUnregistered(db: Db, providers: readonly string[]): Promise<Unregistered[]> {
  const { rows } = await sql<UnregisteredRow>`
    select p.provider, q.purpose, used.language,
           (select max(t.version) from template_registration t
             where t.partner_id is null and t.provider = p.provider and t.purpose = q.purpose
               and t.language = used.language) as newest
      from unnest(${providers}::text[]) as p (provider)
     cross join unnest(${MESSAGE_PURPOSES}::text[]) as q (purpose)
     cross join (select distinct message_language from partner where status = 'active') as used (language)
     order by p.provider, q.purpose, used.language`.execute(db)
  return rows.flatMap(({ provider, purpose, language, newest }) => {
    const template = templatesOf(purpose, language)[0]!
    return newest === template.version ? [] : [{ provider, template, sends: newest }]
  })
}
