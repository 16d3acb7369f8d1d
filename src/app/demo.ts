import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Runtime } from '#app/runtime.ts'
import { issueApiKey } from '#flows/issue-api-key.ts'
import { registerPartner } from '#flows/register-partner.ts'
import { newTerms } from '#modules/partners/rules.ts'
import { listPartners } from '#modules/partners/store.ts'
import type { PartnerTerms } from '#modules/partners/types.ts'

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

// A fresh sandbox gets its partners and a key, and every start shows three lines that work when pasted.
export async function openDemo(runtime: Runtime, address: string): Promise<void> {
  if (runtime.firstStart) await seedDemo(runtime)
  const keyFile = join(runtime.config.dataDir, 'demo-key')
  if (existsSync(keyFile)) process.stdout.write(banner(address, readFileSync(keyFile, 'utf8').trim()))
}

// Kept in the data folder (mode 600), in a sandbox only, so that the lines work after a restart too.
async function seedDemo({ database, config }: Runtime): Promise<void> {
  if ((await listPartners(database.db)).length > 0) return
  for (const { code, terms } of DEMO) {
    await registerPartner(database, {
      code,
      terms: { ...newTerms('sandbox'), keyless: true, networks: ['127.0.0.0/8', '::1/128'], ...terms },
      actor: ACTOR,
    })
  }
  const { key } = await issueApiKey(database, {
    code: DEMO[0]!.code,
    mode: 'test',
    label: 'demo',
    actor: ACTOR,
  })
  writeFileSync(join(config.dataDir, 'demo-key'), `${key.reveal()}\n`, { mode: 0o600 })
}

function banner(address: string, key: string): string {
  const authorization = `-H 'Authorization: Bearer ${key}'`
  const buy =
    `curl -s ${address}/v2/partner/metal/giftcard/buy ${authorization} -H 'Content-Type: application/json' ` +
    `-d '{"phoneNumber":"010-1234-5678","amount":50000}'`
  return `
Ingot sandbox: ${address}    Reference with try-it: ${address}/docs

Buy a gift card, look it up, see the totals (paste the three lines):

CARD=$(${buy}); echo "$CARD"
curl -s ${address}/v2/partner/metal/giftcard/buy/$(echo "$CARD" | sed 's/.*"giftId":"\\([^"]*\\)".*/\\1/') ${authorization}; echo
curl -s "${address}/v2/partner/usage?startDate=$(date +%Y)-1-1&endDate=$(date +%Y)-12-31" ${authorization}; echo

`
}
