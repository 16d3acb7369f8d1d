import { type Command, integer, optionalReason, table, text, texts } from '#app/command.ts'
import { NETWORKS, noPartner } from '#app/commands/partner-words.ts'
import { orRefuse, Refused } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { type IssueKeyRefusal, issueApiKey } from '#flows/partners/issue-api-key.ts'
import { type RevokeKeyRefusal, revokeApiKey } from '#flows/partners/revoke-api-key.ts'
import { type RotateKeyRefusal, rotateApiKey } from '#flows/partners/rotate-api-key.ts'
import { parseApiKey } from '#modules/partners/api-key.ts'
import { findPartner, listKeys } from '#modules/partners/store.ts'
import { SCOPES } from '#modules/partners/types.ts'

export function keyWords(refusal: IssueKeyRefusal | RevokeKeyRefusal | RotateKeyRefusal): string {
  switch (refusal.reason) {
    case 'scope_unknown':
      return `scopes are among ${SCOPES.join(', ')}`
    case 'network_invalid':
      return NETWORKS
    case 'label_too_long':
      return 'a label has at most 100 characters'
    case 'expiry_out_of_bounds':
      return `a key expires after 1 to ${refusal.mostDays} days, or never`
    case 'partner_not_found':
      return noPartner(refusal)
    case 'key_not_found':
      return 'there is no such key'
    case 'key_ended':
      return 'the key has ended: issue a new one'
    case 'overlap_out_of_bounds':
      return `the overlap is 0 to ${refusal.mostMinutes} minutes`
  }
}

export const keyIssue: Command = {
  usage: `key issue CODE [--label TEXT] [--scope SCOPE …] [--network CIDR …] [--expires-days N] [--reason TEXT] (scopes: ${SCOPES.join(', ')})`,
  summary: 'issue an API key, which is shown this once',
  positionals: ['code'],
  options: {
    label: { type: 'string' },
    scope: { type: 'string', multiple: true },
    network: { type: 'string', multiple: true },
    'expires-days': { type: 'string' },
    reason: { type: 'string' },
  },
  async run({ runtime, args, options, actor }) {
    const label = text(options, 'label')
    const scopes = texts(options, 'scope')
    const networks = texts(options, 'network')
    const expiresInDays = integer(options, 'expires-days')
    const outcome = await issueApiKey(runtime.database, {
      code: args.code!,
      mode: runtime.config.mode === 'live' ? 'live' : 'test',
      ...(label === undefined ? {} : { label }),
      ...(scopes ? { scopes } : {}),
      ...(networks ? { networks } : {}),
      ...(expiresInDays === undefined ? {} : { expiresInDays }),
      actor,
      reason: optionalReason({ options }),
    })
    // Only a hash of the secret was stored. If this line is lost, the way back is to issue another key
    // and revoke this one.
    const { id, key } = orRefuse(outcome, keyWords)
    return {
      json: { id, key: key.reveal() },
      text: `${key.reveal()}\nid ${id}. This is the only time the key is shown: keep it now.`,
    }
  },
}

// What can be shown of a key. Its secret is stored nowhere.
export function keyToJson(key: Awaited<ReturnType<typeof listKeys>>[number]) {
  return {
    id: key.id,
    partner: key.code,
    label: key.label,
    scopes: key.scopes,
    networks: key.networks,
    createdAt: key.created_at.toString(),
    expiresAt: key.expires_at?.toString() ?? null,
    revokedAt: key.revoked_at?.toString() ?? null,
    lastUsedAt: key.last_used_at?.toString() ?? null,
  }
}

export const keyList: Command = {
  usage: 'key list [--partner CODE]',
  summary: 'list API keys',
  positionals: [],
  options: { partner: { type: 'string' } },
  async run({ runtime, options }) {
    const code = text(options, 'partner')
    const partner = code === undefined ? undefined : await findPartner(runtime.database.db, code)
    if (code !== undefined && !partner) throw new Refused(noPartner({ partner: code }))
    const keys = (await listKeys(runtime.database.db, partner?.id)).map(keyToJson)
    const rows = keys.map((key) => [
      key.id,
      key.partner,
      key.createdAt,
      key.lastUsedAt ?? 'never',
      key.revokedAt ?? key.expiresAt ?? '',
      key.scopes.length === SCOPES.length ? 'all' : key.scopes.join(' '),
      key.label,
    ])
    return {
      json: keys,
      text: table(['id', 'partner', 'created', 'last used', 'ends', 'scopes', 'label'], rows),
    }
  },
}

export const keyRevoke: Command = {
  usage: 'key revoke ID [--after-minutes N] [--reason TEXT]',
  summary: 'revoke an API key, now or after an overlap',
  positionals: ['id'],
  options: { 'after-minutes': { type: 'string' }, reason: { type: 'string' } },
  async run({ runtime, args, options, actor }) {
    const afterMinutes = integer(options, 'after-minutes') ?? 0
    // An overlap lets a partner change keys without an outage. One of years would be a revocation that never happens.
    if (afterMinutes > 525_600) throw new UsageError('--after-minutes is at most a year')
    // A whole key will do as well: it is what one holds when it has leaked.
    const whole = parseApiKey('test', args.id!) ?? parseApiKey('live', args.id!)
    const command = { id: whole ?? args.id!, afterMinutes, actor, reason: optionalReason({ options }) }
    const { id, endsAt } = orRefuse(await revokeApiKey(runtime.database, command), keyWords)
    return { json: { id, endsAt: endsAt.toString() }, text: `${id} ends at ${endsAt}` }
  },
}

export const keyRotate: Command = {
  usage: 'key rotate ID [--overlap-minutes N, 1440 unless told] [--reason TEXT]',
  summary: 'issue a key with the same rights, and end the old one after an overlap',
  positionals: ['id'],
  options: { 'overlap-minutes': { type: 'string' }, reason: { type: 'string' } },
  async run({ runtime, args, options, actor }) {
    const outcome = await rotateApiKey(runtime.database, {
      id: args.id!,
      mode: runtime.config.mode === 'live' ? 'live' : 'test',
      overlapMinutes: integer(options, 'overlap-minutes') ?? 1_440,
      actor,
      reason: optionalReason({ options }),
    })
    const { id, key, replaces, endsAt } = orRefuse(outcome, keyWords)
    return {
      json: { id, key: key.reveal(), replaces, endsAt: endsAt.toString() },
      text: `${key.reveal()}\nid ${id}. This is the only time the key is shown: keep it now.\n${replaces} ends at ${endsAt}.`,
    }
  },
}
