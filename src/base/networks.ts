import { BlockList, isIP } from 'node:net'

// Networks in CIDR form, IPv4 and IPv6. An IPv4 address that arrives mapped into IPv6 counts as IPv4.
export type Networks = { readonly list: readonly string[]; has(address: string): boolean }

export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0 || address.includes('%')) return false
  if (prefix === undefined) return true
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
}

function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  return mapped?.[1] ?? address
}

export function networks(list: readonly string[]): Networks {
  const blocks = new BlockList()
  for (const network of list) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    blocks.addSubnet(address, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family)
  }
  return {
    list,
    has(address) {
      const plain = plainAddress(address)
      const version = isIP(plain)
      return version !== 0 && blocks.check(plain, version === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

// Loopback and the private ranges: where a scraper or a health check of one's own sits.
export const PRIVATE_NETWORKS = networks([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
])
