import { type Command, optionalReason, table, text } from '#app/command.ts'
import { noPartner } from '#app/commands/partner-words.ts'
import { orRefuse, Refused } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { isUuid } from '#base/ids.ts'
import { addContact, type ContactRefusal, listMasked, removeContact } from '#flows/partners/contacts.ts'
import type { Contact } from '#modules/partners/contacts.ts'
import { findPartner } from '#modules/partners/store.ts'

function contactWords(refusal: ContactRefusal): string {
  switch (refusal.reason) {
    case 'partner_not_found':
      return noPartner(refusal)
    case 'contact_name_invalid':
      return '--name is one line of 1 to 100 characters, without a web address'
    case 'contact_phone_invalid':
      return '--phone is a Korean mobile number: alerts are text messages'
    case 'contact_email_invalid':
      return '--email is an address such as kim@shop.example'
    case 'contact_unreachable':
      return 'a contact has --phone, --email or both'
    case 'too_many_contacts':
      return 'a partner has at most 10 contacts: remove one first'
    case 'contact_not_found':
      return 'the partner has no such contact: see ingot partner contacts'
  }
}

function shown(contacts: readonly Contact[]) {
  const rows = contacts.map(({ id, name, phone, email }) => [id, name, phone ?? '–', email ?? '–'])
  return {
    json: [...contacts],
    text:
      rows.length > 0
        ? table(['id', 'name', 'phone', 'email'], rows)
        : 'no contacts: nobody is told when the partner comes near its credit limit',
  }
}

export const partnerContacts: Command = {
  usage: 'partner contacts CODE',
  summary: 'list who is told at a partner, masked',
  positionals: ['code'],
  options: {},
  async run({ runtime, args }) {
    const { db } = runtime.database
    const partner = await findPartner(db, args.code!)
    if (!partner) throw new Refused(noPartner({ partner: args.code! }))
    return shown(await listMasked({ tx: db, vault: runtime.keys.vault() }, partner.id))
  },
}

export const partnerAddContact: Command = {
  usage:
    'partner add-contact CODE --name NAME [--phone NUMBER] [--email ADDRESS] [--reason TEXT]\n' +
    'Contacts with a phone get a text message when the partner has used 80% and 95% of its credit limit.',
  summary: 'add a person who is told at a partner',
  positionals: ['code'],
  options: {
    name: { type: 'string' },
    phone: { type: 'string' },
    email: { type: 'string' },
    reason: { type: 'string' },
  },
  async run(context) {
    const { runtime, args, options, actor } = context
    const name = text(options, 'name')
    if (name === undefined) throw new UsageError('--name is required')
    const [phone = null, email = null] = [text(options, 'phone'), text(options, 'email')]
    const command = { code: args.code!, name, phone, email, actor, reason: optionalReason(context) }
    return shown(orRefuse(await addContact(runtime, command), contactWords).contacts)
  },
}

export const partnerRemoveContact: Command = {
  usage: 'partner remove-contact CODE ID [--reason TEXT]',
  summary: 'remove a contact of a partner; what was known of the person is erased',
  positionals: ['code', 'id'],
  options: { reason: { type: 'string' } },
  async run(context) {
    const { runtime, args, actor } = context
    if (!isUuid(args.id!)) throw new UsageError('a contact is named by its id: see ingot partner contacts')
    const command = { code: args.code!, id: args.id!, actor, reason: optionalReason(context) }
    return shown(orRefuse(await removeContact(runtime, command), contactWords).contacts)
  },
}
