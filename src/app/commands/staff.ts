import { type Command, type CommandContext, optionalReason, table, text } from '#app/command.ts'
import { askerOf, waitingText } from '#app/commands/approval.ts'
import { staffWords } from '#app/commands/staff-words.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { bindAccount, unbindAccount } from '#flows/staff/bind-account.ts'
import { requestRoleChange } from '#flows/staff/change-role.ts'
import { addStaff, type Invited, resetStaff, resumeStaff, suspendStaff } from '#flows/staff/manage-staff.ts'
import { listBoundAccounts } from '#modules/staff/accounts.ts'
import { ROLES, type Role } from '#modules/staff/permissions.ts'
import { LINK_HOURS } from '#modules/staff/rules.ts'
import { linkUrl } from '#modules/staff/secrets.ts'
import type { StaffMember } from '#modules/staff/staff-member.ts'
import { listStaff } from '#modules/staff/store.ts'

const REASON = { reason: { type: 'string' } } as const

function readRole(name: string | undefined): Role {
  const role = ROLES.find((one) => one === name)
  if (!role) throw new UsageError(`a role is one of ${ROLES.join(', ')}`)
  return role
}

// The secrets of a way in stay out.
function toJson({ id, email, name, role, partner, status, createdAt }: StaffMember) {
  return { id, email, name, role, partner, status, createdAt: createdAt.toString() }
}

function invitation({ runtime }: CommandContext, { staff, link, expiresAt, waiting }: Invited) {
  const url = linkUrl(runtime.config.publicUrl, link)
  return {
    json: {
      ...toJson(staff),
      link: url,
      expiresAt: expiresAt.toString(),
      ...(waiting ? { waiting: waiting.id } : {}),
    },
    text:
      `${staff.email} is ${staff.role}${staff.partner ? ` of ${staff.partner}` : ''}. ` +
      `The link is good once, for ${LINK_HOURS} hours; hand it to this person only:\n${url}` +
      (waiting ? `\n${waitingText('approvals', waiting)}` : ''),
  }
}

export const operatorAdd: Command = {
  usage: 'operator add EMAIL --role ROLE [--partner CODE] [--name NAME]',
  summary: 'add a person who works in the console; prints a link that is good once',
  positionals: ['email'],
  options: { role: { type: 'string' }, partner: { type: 'string' }, name: { type: 'string' } },
  async run(context) {
    const { runtime, args, options, actor, origin } = context
    const email = args.email!
    const name = text(options, 'name') ?? email.split('@')[0]!
    const command = {
      email,
      name,
      role: readRole(text(options, 'role')),
      partner: text(options, 'partner'),
      reason: null,
      actor,
      ...(origin ? { origin } : {}),
    }
    return invitation(context, orRefuse(await addStaff(runtime.database, command), staffWords))
  },
}

export const operatorList: Command = {
  usage: 'operator list',
  summary: 'list the people who work in the console, and the accounts of this machine that are theirs',
  positionals: [],
  options: {},
  async run({ runtime: { database } }) {
    const staff = await listStaff(database.db)
    const accounts = await listBoundAccounts(database.db)
    const ofOne = ({ id }: StaffMember) =>
      accounts.filter(({ staffId }) => staffId === id).map(({ account }) => account)
    const rows = staff.map((one) => [
      one.email,
      one.role,
      one.partner ?? '–',
      one.status,
      ofOne(one).join(' ') || '–',
      one.name,
    ])
    return {
      json: staff.map((one) => ({ ...toJson(one), accounts: ofOne(one) })),
      text:
        rows.length > 0
          ? table(['email', 'role', 'partner', 'status', 'accounts', 'name'], rows)
          : 'nobody yet: ingot operator add EMAIL --role admin',
    }
  },
}

export const operatorReset: Command = {
  usage: 'operator reset EMAIL [--reason TEXT]',
  summary: "remove a person's passkeys, password and authenticator, end their sessions, and print a new link",
  positionals: ['email'],
  options: REASON,
  async run(context) {
    const outcome = await resetStaff(context.runtime.database, actOf(context))
    return invitation(context, orRefuse(outcome, staffWords))
  },
}

function actOf({ args, options, actor }: CommandContext) {
  return { email: args.email!, actor, reason: optionalReason({ options }) }
}

export const operatorSuspend: Command = {
  usage: 'operator suspend EMAIL [--reason TEXT]',
  summary: 'keep a person out of the console; their sessions end at once',
  positionals: ['email'],
  options: REASON,
  async run(context) {
    const outcome = orRefuse(await suspendStaff(context.runtime.database, actOf(context)), staffWords)
    const { staff, sessions } = outcome
    return {
      json: { ...toJson(staff), sessions },
      text: `${staff.email} is suspended; sessions ended: ${sessions}`,
    }
  },
}

export const operatorResume: Command = {
  usage: 'operator resume EMAIL [--reason TEXT]',
  summary: 'let a suspended person in again, by the ways in that they had',
  positionals: ['email'],
  options: REASON,
  async run(context) {
    const { staff } = orRefuse(await resumeStaff(context.runtime.database, actOf(context)), staffWords)
    return { json: toJson(staff), text: `${staff.email} may sign in again` }
  },
}

export const operatorRole: Command = {
  usage: 'operator role EMAIL ROLE [--reason TEXT] [--as NAME]',
  summary: 'ask for another role for a person; a second person approves it',
  positionals: ['email', 'role'],
  options: { ...REASON, as: { type: 'string' } },
  async run(context) {
    const { runtime, args, options } = context
    const { asker, approve } = askerOf(context, ['staff_role'])
    const role = readRole(args.role)
    const command = { email: args.email!, role, reason: optionalReason({ options }), ...asker }
    const { request } = orRefuse(await requestRoleChange(runtime.database, command), staffWords)
    const isDone = await approve(request)
    return {
      json: { status: isDone ? 'executed' : 'waiting', request: request.id, email: request.subject, role },
      text: isDone
        ? `${request.subject} is ${role} now; their sessions ended`
        : waitingText('approvals', request),
    }
  },
}

// The account that runs this command, or the one that is named.
function accountOf({ options, actor }: CommandContext): string {
  const name = text(options, 'account')
  if (name === undefined) return actor
  if (!/^[\p{L}\p{N}_.@\\$ -]{1,100}$/u.test(name))
    throw new UsageError('--account takes the name of an account')
  return `cli:${name}`
}

export const operatorBind: Command = {
  usage: 'operator bind EMAIL [--account NAME]',
  summary: 'say which person an account of this machine is: this one, or a named one',
  positionals: ['email'],
  options: { account: { type: 'string' } },
  async run(context) {
    const { runtime, args, actor } = context
    const account = accountOf(context)
    orRefuse(await bindAccount(runtime.database, { email: args.email!, account, actor }), staffWords)
    return { json: { account, email: args.email }, text: `${account} is ${args.email}` }
  },
}

export const operatorUnbind: Command = {
  usage: 'operator unbind [--account NAME]',
  summary: 'take the account of this machine, or a named one, from the person it is bound to',
  positionals: [],
  options: { account: { type: 'string' } },
  async run(context) {
    const account = accountOf(context)
    orRefuse(await unbindAccount(context.runtime.database, { account, actor: context.actor }), staffWords)
    return { json: { account }, text: `${account} is nobody's now` }
  },
}
