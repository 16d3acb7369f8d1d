import type { Db } from '#base/db/db.ts'
import { isShownName } from '#base/text/text.ts'
import { type NoPartner, type Refusal, refused } from '#flows/kit/outcome.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { maskMobile, normalizeMobile } from '#modules/gift-cards/phone.ts'
import { maskName } from '#modules/members/rules.ts'
import { type Contact, eraseContact, insertContact, listContacts } from '#modules/partners/contacts.ts'
import { lockPartner } from '#modules/partners/store.ts'

export type ContactRefusal =
  | NoPartner
  | Refusal<
      'contact_name_invalid' | 'contact_phone_invalid' | 'contact_email_invalid' | 'contact_unreachable'
    >
  | Refusal<'too_many_contacts' | 'contact_not_found'>

type ContactOutcome = { kind: 'done'; contacts: Contact[] } | ContactRefusal

interface Who {
  code: string
  actor: string
  reason: string | null
}

type AddContactCommand = Who & { name: string; phone: string | null; email: string | null }
type RemoveContactCommand = Who & { id: string }

const MOST = 10 // each of them gets every alert
const EMAIL = /^[^\s@<>"]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i

// Who is told when the partner comes near its credit limit. The audit log names the contact by its id.
export function addContact(deps: VaultDeps, command: AddContactCommand): Promise<ContactOutcome> {
  const { code, actor, reason } = command
  const name = command.name.trim()
  const phone = command.phone === null ? null : normalizeMobile(command.phone.trim())
  const email = command.email === null ? null : command.email.trim()
  return withVault(deps, async (tx, vault): Promise<ContactOutcome> => {
    const partner = await lockPartner(tx, code)
    if (!partner) return refused('partner_not_found', { partner: code })
    if (name === '' || name.length > 100 || !isShownName(name)) return refused('contact_name_invalid')
    if (phone === undefined) return refused('contact_phone_invalid')
    if (email !== null && (email.length > 200 || !EMAIL.test(email))) return refused('contact_email_invalid')
    if (phone === null && email === null) return refused('contact_unreachable')
    const known = await listContacts(tx, vault, partner.id)
    if (known.length >= MOST) return refused('too_many_contacts')
    const contact = await insertContact(tx, vault, partner.id, { name, phone, email })
    await insertAuditEntry(tx, {
      actor,
      action: 'partner.contact.add',
      subject: code,
      details: { reason, contact },
      before: { contacts: known.length },
      after: { contacts: known.length + 1 },
    })
    return { kind: 'done', contacts: await listMasked({ tx, vault }, partner.id) }
  })
}

export function removeContact(deps: VaultDeps, command: RemoveContactCommand): Promise<ContactOutcome> {
  const { code, actor, reason, id } = command
  return withVault(deps, async (tx, vault): Promise<ContactOutcome> => {
    const partner = await lockPartner(tx, code)
    if (!partner) return refused('partner_not_found', { partner: code })
    if (!(await eraseContact(tx, partner.id, id))) return refused('contact_not_found')
    const contacts = await listMasked({ tx, vault }, partner.id)
    await insertAuditEntry(tx, {
      actor,
      action: 'partner.contact.remove',
      subject: code,
      details: { reason, contact: id },
      before: { contacts: contacts.length + 1 },
      after: { contacts: contacts.length },
    })
    return { kind: 'done', contacts }
  })
}

type Vault = Parameters<typeof listContacts>[1]

// Enough to recognise, for everybody: to correct one, remove it and add another.
export async function listMasked(
  { tx, vault }: { tx: Db; vault: Vault },
  partnerId: number,
): Promise<Contact[]> {
  return (await listContacts(tx, vault, partnerId)).map(({ id, name, phone, email }) => ({
    id,
    name: maskName(name),
    phone: phone && maskMobile(phone),
    email: email === null ? null : email.replace(/^(.).*@/, '$1***@'),
  }))
}

export function createPartnerContacts(deps: VaultDeps) {
  return {
    add: (command: AddContactCommand) => addContact(deps, command),
    remove: (command: RemoveContactCommand) => removeContact(deps, command),
  }
}

export type PartnerContacts = ReturnType<typeof createPartnerContacts>
