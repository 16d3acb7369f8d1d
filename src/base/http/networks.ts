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

// ::ffff:192.0.2.1, however it is written, is 192.0.2.1.
export function plainAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const written = URL.parse(`http://[${address}]`)?.hostname ?? ''
  const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(written)
  if (!mapped) return address
  const [high, low] = mapped.slice(1).map((part) => Number.parseInt(part, 16)) as [number, number]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function subnet(network: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } {
  const [written = '', prefix] = network.split('/')
  const address = plainAddress(written)
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  // A mapped network of /96 or longer is one of IPv4; a shorter one holds more than that and stays as it is.
  if (family === 'ipv4' && isIP(written) === 6) {
    const length = Number(prefix ?? 128) - 96
    return length < 0
      ? { address: written, prefix: Number(prefix), family: 'ipv6' }
      : { address, prefix: length, family }
  }
  return { address, prefix: Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family }
}

// Read when it is first asked: Node takes some milliseconds for its first address of IPv6, which a start can do without.
export function networks(list: readonly string[]): Networks {
  let blocks: BlockList | undefined
  return {
    list,
    has(address) {
      blocks ??= blocksOf(list)
      const plain = plainAddress(address)
      const version = isIP(plain)
      // An address with a zone belongs to one link only, and no list has one.
      return version !== 0 && !plain.includes('%') && blocks.check(plain, version === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

function blocksOf(list: readonly string[]): BlockList {
  const blocks = new BlockList()
  for (const { address, prefix, family } of list.map(subnet)) blocks.addSubnet(address, prefix, family)
  return blocks
}

export const LOOPBACK = networks(['127.0.0.0/8', '::1/128'])

// Loopback and the private ranges: where a proxy or a health check of one's own sits.
export const PRIVATE_NETWORKS = networks([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
])
