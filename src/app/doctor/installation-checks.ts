import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { findLocation } from '#app/embedded-postgres/cluster-location.ts'
import { BadSetting, type Config } from '#app/settings/config.ts'
import { requireServing } from '#app/settings/serve.ts'
import { networks } from '#base/http/networks.ts'
import { listUnregistered } from '#modules/deliveries/template-ids.ts'
import { HAS_TABLES } from './data-checks.ts'
import { all, type Check, databaseCheck, ok, warning, wrong } from './types.ts'

// What an operator sets up around the service: settings, proxies, disk, templates.

interface MissingSettings {
  missing: readonly { name: string; why: string }[]
}

export const serving: Check<MissingSettings> = {
  name: 'settings',
  needs: 'settings',
  read({ config }) {
    try {
      requireServing(config)
      return { missing: [] }
    } catch (error) {
      if (!(error instanceof BadSetting)) throw error
      return { missing: error.settings }
    }
  },
  judge: ({ missing }, { mode }) =>
    all(
      missing.map(({ name, why }) => wrong(`${name}: ${why}`, 'Set it: docs/settings.md.')),
      `everything that ${mode} needs is set`,
    ),
}

interface ProxyFacts {
  publicUrl: string
  host: string
  isContainer: boolean
  trusted: readonly string[]
  trustsEveryone: boolean
}

export const proxies: Check<ProxyFacts> = {
  name: 'proxies',
  needs: 'settings',
  read: ({ config: { publicUrl, host, trustedProxies }, isContainer }) => ({
    publicUrl,
    host,
    isContainer,
    trusted: trustedProxies.list,
    trustsEveryone:
      ['8.8.8.8', '2001:4860:4860::8888'].some((stranger) => trustedProxies.has(stranger)) &&
      isWide(trustedProxies.list),
  }),
  judge({ publicUrl, host, isContainer, trusted, trustsEveryone }, { mode }) {
    const isHttps = publicUrl.startsWith('https:')
    const isOpen = !networks(['127.0.0.0/8', '::1']).has(host) && host !== 'localhost'
    return all(
      [
        trustsEveryone &&
          wrong(
            'TRUSTED_PROXIES trusts everyone: any caller can pretend to be at any address',
            'List the addresses of your proxies only.',
          ),
        mode === 'live' &&
          !isHttps &&
          wrong(
            `PUBLIC_URL is ${publicUrl}, without TLS`,
            'Put a reverse proxy with a certificate in front, and set PUBLIC_URL to its https address.',
          ),
        isHttps &&
          trusted.length === 0 &&
          warning(
            'PUBLIC_URL is https, so a proxy is in front, but TRUSTED_PROXIES is empty: every caller seems to be the proxy',
            'Set TRUSTED_PROXIES to the addresses of the proxy, and let it set X-Forwarded-For.',
          ),
        mode === 'live' &&
          isOpen &&
          warning(
            `HOST is ${host}: other machines can reach this port without TLS, past the proxy`,
            // In a container 127.0.0.1 is the container's own, and a published port would lead nowhere.
            isContainer
              ? 'Publish the port to 127.0.0.1 only (127.0.0.1:3000:3000), or let a network policy admit only the proxy.'
              : 'Set HOST=127.0.0.1 if the proxy runs here, or let a firewall admit only the proxy.',
          ),
      ],
      `PUBLIC_URL is ${publicUrl}; ${trusted.length === 0 ? 'no proxy is trusted' : `trusted are ${trusted.join(', ')}`}`,
    )
  },
}

const isWide = (list: readonly string[]) => list.some((network) => /\/[0-7]$/.test(network))

const GB = 1024 ** 3

interface DiskFacts {
  path: string
  free: number
  size: number
}

export const disk: Check<DiskFacts> = {
  name: 'disk',
  needs: 'settings',
  read({ config }) {
    const path = folderOf(config)
    const { bavail, blocks, bsize } = statfsSync(path)
    return { path, free: bavail * bsize, size: blocks * bsize }
  },
  judge({ path, free, size }, { databaseUrl }) {
    const says = `${(free / GB).toFixed(1)} of ${(size / GB).toFixed(1)} GB are free at ${path}`
    // With a database elsewhere the folder holds little.
    const [least, little] =
      databaseUrl === undefined ? [GB / 2, Math.min(5 * GB, size / 10)] : [GB / 100, GB / 10]
    const mend = 'Free some space or enlarge the disk. PostgreSQL stops when it is full.'
    if (free < least) return [wrong(says, mend)]
    if (free < little) return [warning(says, mend)]
    return [ok(says)]
  },
}

// The folder of the embedded database, or the nearest one that exists.
function folderOf({ dataDir, databaseUrl }: Config): string {
  let path = dataDir
  if (databaseUrl === undefined && existsSync(dataDir)) path = findLocation(dataDir)?.cluster ?? dataDir
  while (!existsSync(path)) path = join(path, '..')
  return path
}

interface TemplateFacts {
  hasTables: boolean
  missing: readonly { provider: string; name: string; sends: number | null }[]
}

export const templates = databaseCheck<TemplateFacts>({
  name: 'templates',
  async read({ database }, { messaging }) {
    const [row] = await database.read<{ there: boolean }>(HAS_TABLES, [])
    const providers = messaging.providers.filter((name) => name !== 'simulated')
    if (!row!.there || providers.length === 0) return { hasTables: row!.there, missing: [] }
    const unregistered = await listUnregistered(database.db, providers)
    return {
      hasTables: true,
      missing: unregistered.map(({ provider, template, sends }) => ({
        provider,
        name: template.name,
        sends,
      })),
    }
  },
  judge({ missing }) {
    const mend = 'Register the text with Kakao, then: ingot template set PROVIDER PURPOSE LANGUAGE ID'
    return all(
      missing.map(({ provider, name, sends }) =>
        sends === null
          ? wrong(`${name} has no id at ${provider}: it goes out by text message only`, mend)
          : warning(
              `${name} is not registered at ${provider} in its newest version; version ${sends} is sent`,
              mend,
            ),
      ),
      'every template that is sent is registered',
    )
  },
})
