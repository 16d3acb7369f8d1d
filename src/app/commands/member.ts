import { type Command, readReason } from '#app/command.ts'
import { endMemberSessions, showMember } from '#flows/show-member.ts'

export const memberShow: Command = {
  usage: 'member show ID [--reveal --reason TEXT]',
  summary: 'show a member who signed up, masked; a reveal goes into the audit log',
  positionals: ['loginId'],
  options: { reveal: { type: 'boolean' }, reason: { type: 'string' } },
  async run(context) {
    const { runtime, args, options, actor } = context
    const revealReason = options.reveal ? readReason(context) : undefined
    const shown = await showMember(runtime, { loginId: args.loginId!, revealReason, actor })
    const { account, details } = shown
    const json = {
      id: account.id,
      memberId: account.memberId,
      loginId: account.loginId,
      status: account.closedAt ? 'closed' : 'open',
      joinedAt: account.createdAt.toString(),
      closedAt: account.closedAt?.toString() ?? null,
      passwordChangedAt: account.passwordChangedAt?.toString() ?? null,
      ...(details ?? { name: null }),
      links: shown.links.map(({ id, partner, status, confirmed }) => ({ id, partner, status, confirmed })),
      sessions: shown.sessions.map(({ id, device, partner, startedAt, seenAt }) => ({
        id,
        device,
        partner,
        startedAt: startedAt.toString(),
        seenAt: seenAt.toString(),
      })),
      consents: shown.consents.map(({ terms_id, agreed, at, version }) => ({
        termsId: terms_id,
        version,
        agreed,
        at: at.toString(),
      })),
      changes: shown.changes.map(({ at, action, actor: who, details: more }) => ({
        action,
        at: at.toString(),
        actor: who,
        details: more,
      })),
    }
    return { json, text: toText(json) }
  },
}

function toText({ links, sessions, consents, changes, ...fields }: Record<string, unknown> & Lists): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name.padEnd(17)} ${value}`)
  return [
    ...lines,
    'links',
    ...links.map((l) => `  ${l.partner}  ${l.status}  ${l.confirmed ? 'confirmed' : 'not confirmed'}`),
    'sessions',
    ...sessions.map((s) => `  ${s.startedAt}  ${[s.device, s.partner].filter(Boolean).join('  ')}`),
    'consents',
    ...consents.map(
      (c) => `  ${c.at}  ${c.agreed ? 'Y' : 'N'}  ${[c.termsId, c.version].filter(Boolean).join('  ')}`,
    ),
    'changes',
    ...changes.map((c) => `  ${c.at}  ${c.action}  ${c.actor}  ${JSON.stringify(c.details)}`),
  ].join('\n')
}

interface Lists {
  links: { partner: string; status: string; confirmed: boolean }[]
  sessions: { startedAt: string; device: string; partner: string | null }[]
  consents: { at: string; agreed: boolean; termsId: string; version: string | null }[]
  changes: { at: string; action: string; actor: string; details: unknown }[]
}

export const memberEndSessions: Command = {
  usage: 'member end-sessions ID --reason TEXT',
  summary: 'sign a member out everywhere, web views of partners included',
  positionals: ['loginId'],
  options: { reason: { type: 'string' } },
  async run(context) {
    const { runtime, args, actor } = context
    const loginId = args.loginId!
    const ended = await endMemberSessions(runtime.database, { loginId, reason: readReason(context), actor })
    return { json: { loginId, ended }, text: `${ended} session(s) of ${loginId} ended` }
  },
}
