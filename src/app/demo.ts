import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#app/config.ts'
import { writeOnce } from '#app/data-dir.ts'
import type { Database } from '#base/db.ts'
import { withFileLock } from '#base/file-lock.ts'
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

const keyFile = (config: Config) => join(config.dataDir, 'demo-key')

// A sandbox with a database of its own has partners to try things with and a key that is kept (mode 600) so
// that the lines of the banner work after a restart too. The key's file is the mark that all is done: a
// process killed half way is made up for by the next one.
export async function seedDemo(database: Database, config: Config): Promise<void> {
  if (existsSync(keyFile(config))) return
  await withFileLock(join(config.dataDir, 'demo.lock'), async () => {
    if (existsSync(keyFile(config))) return
    const there = new Set((await listPartners(database.db)).map((partner) => partner.code))
    for (const { code, terms } of DEMO) {
      if (there.has(code)) continue
      const defaults = { ...newTerms('sandbox'), keyless: true, networks: ['127.0.0.0/8', '::1/128'] }
      await registerPartner(database, { code, terms: { ...defaults, ...terms }, actor: ACTOR })
    }
    const { key } = await issueApiKey(database, {
      code: DEMO[0]!.code,
      mode: 'test',
      label: 'demo',
      actor: ACTOR,
    })
    writeOnce(keyFile(config), `${key.reveal()}\n`)
  })
}

export function printBanner(config: Config, address: string): void {
  if (config.mode !== 'sandbox' || config.databaseUrl !== undefined || !existsSync(keyFile(config))) return
  process.stdout.write(banner(address, readFileSync(keyFile(config), 'utf8').trim()))
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
