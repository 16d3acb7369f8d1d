import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MOVED_IN, writeOnce } from '#app/data-dir.ts'
import { createMetrics, type Metrics } from '#app/metrics.ts'
import type { Config } from '#app/settings/config.ts'
import { assert } from '#base/assert.ts'
import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import { withFileLock } from '#base/file-lock.ts'
import { type GrantCommand, grantAssets } from '#flows/holdings/grant-assets.ts'
import { createLookUpAssets } from '#flows/holdings/look-up-assets.ts'
import { createSignUpPartnerUser } from '#flows/partner-users/sign-up-partner-user.ts'
import { issueApiKey } from '#flows/partners/issue-api-key.ts'
import { registerPartner } from '#flows/partners/register-partner.ts'
import { seedDemoStaff } from '#flows/staff/demo-staff.ts'
import { createPlaceOrder } from '#flows/trading/place-order.ts'
import { createQuoteOrder } from '#flows/trading/quote-order.ts'
import { findUser } from '#modules/members/store.ts'
import { parseApiKey } from '#modules/partners/api-key.ts'
import { newTerms } from '#modules/partners/rules.ts'
import { findKeylessPartners, findKnownKeys, findPartner, listPartners } from '#modules/partners/store.ts'
import type { KeyId, PartnerTerms } from '#modules/partners/types.ts'
import { DEMO_PERSONA } from '#providers/identity/personas.ts'

// Five partners to try things with, of both key formats. Loopback may call the user endpoints without a key.
const DEMO: readonly { code: string; terms: Partial<PartnerTerms> & { name: string } }[] = [
  { code: 'hanbit-pay', terms: { name: '한빛페이 Hanbit Pay' } },
  { code: 'moa-bank', terms: { name: '모아은행 Moa Bank' } },
  {
    code: 'narae-shop',
    terms: { name: '나래샵 Narae Shop', keyFormat: 'custom', keyPattern: 'NR-[0-9]{8}' },
  },
  {
    code: 'duri-telecom',
    terms: { name: '두리텔레콤 Duri Telecom', keyFormat: 'custom', keyPattern: '[a-z0-9]{6,32}' },
  },
  { code: 'saem-card', terms: { name: '샘카드 Saem Card' } },
]
const ACTOR = 'demo'

// A demo member: known to a partner of each key format, with a little of everything.
const DEMO_MEMBER = {
  ci: DEMO_PERSONA.ci,
  details: {
    name: DEMO_PERSONA.name,
    birthday: DEMO_PERSONA.birthday,
    nationality: 'K',
    mdn: DEMO_PERSONA.mdn,
    gender: DEMO_PERSONA.gender,
  } as const,
  consents: [{ termsId: 'marketing', agreed: true }],
}
const DEMO_USER = { partner: 'narae-shop', partnerKey: 'NR-00000001' } as const
const DEMO_KEYS = { 'hanbit-pay': undefined, [DEMO_USER.partner]: DEMO_USER.partnerKey } as const
// Metal is bought by an order, so that it has a cost and a history.
const DEMO_HOLDINGS = { KRW_POINT: 50_000n, KRW: 12_000n, XAU: 12_345n, XAG: 100_000n } as const

const keyFile = (config: Config) => join(config.dataDir, 'demo-key')
const memberFile = (config: Config) => join(config.dataDir, 'demo-member')

// A sandbox with a database of its own has demo partners and a key. The key is kept (mode 600), so that the lines of
// the banner work after a restart. The files mark what is done: if a process is killed half way, the next one
// finishes.
export async function seedDemo(database: Database, keys: VaultKeeper, config: Config): Promise<void> {
  const isDone = () => existsSync(keyFile(config)) && existsSync(memberFile(config))
  if (existsSync(join(config.dataDir, MOVED_IN))) return
  // By itself, since a sandbox of an earlier release has the rest already.
  await seedDemoStaff(database, ACTOR)
  if (isDone()) return
  await withFileLock(join(config.dataDir, 'demo.lock'), async () => {
    if (isDone()) return
    await seedDemoPartners(database)
    if (!existsSync(keyFile(config))) {
      const command = { code: DEMO[0]!.code, mode: 'test', label: 'demo', actor: ACTOR } as const
      const issued = await issueApiKey(database, command)
      assert(issued.kind === 'done', 'the demo partners are there')
      writeOnce(keyFile(config), `${issued.key.reveal()}\n`)
    }
    if (!existsSync(memberFile(config)) && (await seedDemoMember(database, keys))) {
      writeOnce(memberFile(config), `${JSON.stringify(DEMO_USER)}\n`)
    }
  })
}

async function seedDemoPartners(database: Database): Promise<void> {
  const there = new Set((await listPartners(database.db)).map((partner) => partner.code))
  for (const { code, terms } of DEMO) {
    if (there.has(code)) continue
    const defaults = { ...newTerms('sandbox'), keyless: true, networks: ['127.0.0.0/8', '::1/128'] }
    const command = { code, terms: { ...defaults, ...terms }, creditOfOne: 0n, actor: ACTOR }
    const registered = await registerPartner(database, command)
    assert(registered.kind === 'done', 'the terms of the demo are right, and their codes are free')
  }
}

// False if the demo partners were changed in a way that leaves no room for the member.
async function seedDemoMember(database: Database, keys: VaultKeeper): Promise<boolean> {
  const metrics = createMetrics()
  const signUp = createSignUpPartnerUser({ database, keys, metrics })
  const lookUpAssets = createLookUpAssets(database, () => {})
  for (const [code, key] of Object.entries(DEMO_KEYS)) {
    const { id } = (await findPartner(database.db, code))!
    const user = await signUp({
      partnerId: id,
      partnerKey: key,
      ...DEMO_MEMBER,
      registeredBy: ACTOR,
      actor: ACTOR,
    })
    if (user.kind === 'refused') return false
    const held = await lookUpAssets(id, user.userKey)
    if (held.kind !== 'found' || held.assets.totalValue > 0n) continue
    const { memberId } = (await findUser(database.db, id, user.userKey))!
    await fillPurse({ database, metrics }, { partner: code, partnerKey: user.userKey, holderId: memberId })
  }
  return true
}

// Deposit first: points would be spent before it. A feed that is late leaves the metal to be given.
async function fillPurse(
  deps: { database: Database; metrics: Metrics },
  { holderId, ...user }: { partner: string; partnerKey: string; holderId: string },
): Promise<void> {
  const grant = async (amounts: GrantCommand['amounts']) => {
    const granted = await grantAssets(deps.database, { ...user, amounts, actor: ACTOR })
    assert(granted.kind === 'done', 'the demo runs in a sandbox, for a user who was just signed up')
  }
  const { KRW_POINT, KRW, XAU, XAG } = DEMO_HOLDINGS
  const quoteOrder = createQuoteOrder(deps)
  const placeOrder = createPlaceOrder(deps)
  const quotes = [
    await quoteOrder({ holderId, side: 'buy', metal: 'XAU', units: XAU }),
    await quoteOrder({ holderId, side: 'buy', metal: 'XAG', units: XAG }),
  ].flatMap((outcome) => (outcome.kind === 'quoted' ? outcome.quote : []))
  if (quotes.length < 2) return grant(DEMO_HOLDINGS)
  await grant({ KRW: KRW + quotes.reduce((sum, { total }) => sum + total, 0n) })
  for (const { id } of quotes) await placeOrder({ quoteId: id, holderId })
  await grant({ KRW_POINT })
}

// Only what works: a key may have been revoked since, or this machine be a proxy whose callers are others.
export async function printBanner(database: Database, config: Config, address: string): Promise<void> {
  if (config.mode !== 'sandbox' || config.databaseUrl !== undefined || !existsSync(keyFile(config))) return
  const key = readFileSync(keyFile(config), 'utf8').trim()
  const [known] = await findKnownKeys(database, [parseApiKey('test', key) ?? ('' as KeyId)])
  const lines = known && !known.ended && known.partner.active ? cardLines(address, key) : REVOKED
  const listing = (await findKeylessPartners(database)).filter(({ networks }) => networks.has('127.0.0.1'))
  const keyless = listing.length > 0 && !config.trustedProxies.has('127.0.0.1')
  process.stdout.write(
    `\nIngot sandbox: ${address}    Console: ${address}/console    Reference with try-it: ${address}/docs\n${lines}${userLines(config, keyless)}\n`,
  )
}

const REVOKED =
  '\nThe demo key does not work any more. For another one: npm run --silent ingot -- key issue hanbit-pay\n'

function cardLines(address: string, key: string): string {
  const authorization = `-H 'Authorization: Bearer ${key}'`
  const buy =
    `curl -s ${address}/v2/partner/metal/giftcard/buy ${authorization} -H 'Content-Type: application/json' ` +
    `-d '{"phoneNumber":"010-1234-5678","amount":50000}'`
  return `
Buy a gift card, look it up, see the totals (paste the three lines):

CARD=$(${buy}); echo "$CARD"
curl -s ${address}/v2/partner/metal/giftcard/buy/$(echo "$CARD" | sed 's/.*"giftId":"\\([^"]*\\).*/\\1/') ${authorization}; echo
curl -s "${address}/v2/partner/usage?startDate=$(date +%Y)-1-1&endDate=$(date +%Y)-12-31" ${authorization}; echo

What the recipient gets: ${address}/dev/inbox    Where a card is registered: ${address}/
`
}

function userLines(config: Config, keyless: boolean): string {
  const member = existsSync(memberFile(config)) ? readFileSync(memberFile(config), 'utf8').trim() : undefined
  return (
    (member ? `\nA demo member to look up and to open the web view for: ${member}\n` : '') +
    (keyless ? 'From this machine the user endpoints (/v1/partners/...) need no key.\n' : '')
  )
}
