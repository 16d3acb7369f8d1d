import { type Command, type CommandContext, readReason, table, text } from '#app/command.ts'
import { memberText, memberToJson } from '#app/commands/member-text.ts'
import { memberWords } from '#app/commands/member-words.ts'
import { typedOption } from '#app/commands/typed-value.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { isUuid } from '#base/ids.ts'
import { distrustDevices, endMemberSessions } from '#flows/members/end-access.ts'
import { findMembers } from '#flows/members/find-member.ts'
import { type Frozen, freezeMember, thawMember } from '#flows/members/freeze-member.ts'
import { showMember } from '#flows/members/show-member.ts'
import { MAX_FOUND, phoneToFind } from '#modules/members/search.ts'

export const memberShow: Command = {
  usage:
    'member show ID [--reveal --reason TEXT]\nID is a login id, or the id of the member or the account. --reveal shows everything, and goes into the audit log.',
  summary: 'show a member, masked: holdings, orders, withdrawals, links',
  positionals: ['id'],
  options: { reveal: { type: 'boolean' }, reason: { type: 'string' } },
  async run(context) {
    const { runtime, args, options, actor } = context
    const revealReason = options.reveal ? readReason(context) : undefined
    const outcome = await showMember(runtime, { member: args.id!, revealReason, actor })
    const shown = orRefuse(outcome, memberWords)
    const json = memberToJson(shown)
    return { json, text: memberText(json) }
  },
}

export const memberFind: Command = {
  usage:
    'member find --phone NUMBER | --name NAME\n' +
    'The whole number or the whole name, as the member verified it or a partner gave it. `-` reads it from standard input, where\n' +
    'no other account of the machine sees it. Every search goes into the audit log, without what was searched for.',
  summary: 'find members by phone number or name',
  positionals: [],
  options: { phone: { type: 'string' }, name: { type: 'string' } },
  async run({ runtime, options, actor }) {
    if ((options.phone === undefined) === (options.name === undefined))
      throw new UsageError('--phone or --name, and not both')
    const by = options.phone === undefined ? 'name' : 'phone'
    const text = (await typedOption(options, by))!
    // The index has whole numbers only, so a part would find nobody.
    if (by === 'phone' && phoneToFind(text).length < 9) throw new UsageError('--phone takes a whole number')
    const { members, indexed, more } = await findMembers(runtime, { by, text, actor })
    const rows = members.map((one) => [
      one.memberId,
      one.loginId ?? '–',
      one.frozen ? 'frozen' : one.account === 'none' ? 'no account' : one.account,
      one.mdn ?? '–',
      one.partners.join(' ') || '–',
      one.name ?? '–',
    ])
    const found =
      rows.length > 0
        ? table(['member', 'login id', 'account', 'phone', 'partners', 'name'], rows)
        : 'there is nobody'
    // An empty answer must not pass for "there is nobody" while the index is being filled.
    const notes = [
      ...(more ? [`There are more than ${MAX_FOUND}: search by ${by === 'name' ? 'phone' : 'name'}.`] : []),
      ...(indexed
        ? []
        : ['Not everybody can be found yet: the worker is still indexing. Try again in a minute.']),
    ]
    return { json: { members, complete: indexed && !more }, text: [found, ...notes].join('\n') }
  },
}

export const memberEndSessions: Command = {
  usage: 'member end-sessions ID [--session SESSION] --reason TEXT',
  summary: 'sign a member out everywhere, web views of partners included, or end one session',
  positionals: ['id'],
  options: { session: { type: 'string' }, reason: { type: 'string' } },
  async run(context) {
    const { runtime, args, options, actor } = context
    const member = args.id!
    const session = text(options, 'session')
    if (session !== undefined && !isUuid(session)) throw new UsageError('--session takes the id of a session')
    const command = { member, session, reason: readReason(context), actor }
    const { ended } = orRefuse(await endMemberSessions(runtime.database, command), memberWords)
    return { json: { loginId: member, ended }, text: `${ended} session(s) of ${member} ended` }
  },
}

export const memberDistrustDevices: Command = {
  usage: 'member distrust-devices ID [--device DEVICE] --reason TEXT',
  summary:
    'trust no browser of a member any more, or not this one: its sessions end, and it proves identity again',
  positionals: ['id'],
  options: { device: { type: 'string' }, reason: { type: 'string' } },
  async run(context) {
    const { runtime, args, options, actor } = context
    const member = args.id!
    const device = text(options, 'device')
    const command = { member, device, reason: readReason(context), actor }
    const { devices, sessions } = orRefuse(await distrustDevices(runtime.database, command), memberWords)
    return {
      json: { member, devices, sessions },
      text: `${devices} device(s) of ${member} are no longer trusted, ${sessions} session(s) ended`,
    }
  },
}

const commandOf = (context: CommandContext) => ({
  member: context.args.id!,
  reason: readReason(context),
  actor: context.actor,
})

const frozenJson = ({ memberId, loginId }: Frozen, status: 'frozen' | 'thawed') => ({
  memberId,
  loginId,
  status,
})

export const memberFreeze: Command = {
  usage: 'member freeze ID --reason TEXT',
  summary: 'stop a member at once: log-in, web views, cards, trading, withdrawals and their payout',
  positionals: ['id'],
  options: { reason: { type: 'string' } },
  async run(context) {
    // One person is enough, and there is no time for a second: a freeze only stops things, and `thaw` undoes it.
    const outcome = await freezeMember(context.runtime.database, commandOf(context))
    const frozen = orRefuse(outcome, memberWords)
    const { memberId, sessionsEnded, withdrawalsHeld } = frozen
    return {
      json: { ...frozenJson(frozen, 'frozen'), sessionsEnded, withdrawalsHeld },
      text:
        `${memberId} is frozen: ${sessionsEnded} session(s) ended, ${withdrawalsHeld} withdrawal(s) held. ` +
        'Nobody was told; the member reads whom to ask at the next log-in.',
    }
  },
}

export const memberThaw: Command = {
  usage: 'member thaw ID --reason TEXT',
  summary: 'end a freeze; waiting withdrawals go on',
  positionals: ['id'],
  options: { reason: { type: 'string' } },
  async run(context) {
    const outcome = await thawMember(context.runtime.database, commandOf(context))
    const thawed = orRefuse(outcome, memberWords)
    const { memberId, withdrawalsHeld } = thawed
    return {
      json: { ...frozenJson(thawed, 'thawed'), withdrawalsHeld },
      text: `${memberId} is thawed: ${withdrawalsHeld} withdrawal(s) can be paid again`,
    }
  },
}
