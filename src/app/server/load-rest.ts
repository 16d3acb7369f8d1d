import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#app/settings/config.ts'
import { failureFields } from '#base/db/errors.ts'
import type { Log } from '#base/log.ts'
import { loadCompiler } from '#edge/http/serializers.ts'
import { loadAjv } from '#edge/http/validators.ts'
import { loadPasswordWords } from '#modules/accounts/password-strength.ts'
import { loadPhoneLibrary } from '#modules/gift-cards/phone.ts'
import { loadWebauthn } from '#modules/passkeys/ceremony.ts'
import { relyingPartyOf } from '#modules/passkeys/rules.ts'

const PAUSE_MS = 500 // for the requests between two of them, and for the processes that start meanwhile

type Loads = Record<string, () => unknown>

// Code that the start leaves out (decisions/0061), loaded once the service is ready. If a first use loaded it weeks later,
// it might find the files of another release, or none. The API reference stays on the disk: it is large, and only a page.
export async function loadRest(
  config: Pick<Config, 'roles' | 'publicUrl'>,
  log: Log,
  { loads = loadsOf(config), pauseMs = PAUSE_MS } = {},
): Promise<void> {
  for (const [check, load] of Object.entries(loads)) {
    await sleep(pauseMs, undefined, { ref: false })
    try {
      await load()
    } catch (error) {
      log.warn('code not loaded', { check, ...failureFields(error) })
    }
  }
}

function loadsOf({ roles, publicUrl }: Pick<Config, 'roles' | 'publicUrl'>): Loads {
  const both = { phone: loadPhoneLibrary }
  if (!roles.api) return both
  const api = { validators: loadAjv, serializers: loadCompiler, ...both, passwords: loadPasswordWords }
  return relyingPartyOf(publicUrl) ? { ...api, passkeys: loadWebauthn } : api
}
