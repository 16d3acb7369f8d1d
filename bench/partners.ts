import type { Installation } from './installation.ts'

export interface BenchPartner {
  code: string
  key: string
}

// Registered by the operator's own commands, and limited by nothing: the limits are not what is measured.
const TERMS = ['--name', 'Benchmark', '--rate-limit', '0', '--credit-limit', '999999999999999']

// Each command is a process.
const AT_ONCE = 4

export async function addPartners(
  installation: Installation,
  codes: readonly string[],
): Promise<BenchPartner[]> {
  const partners: BenchPartner[] = []
  for (let i = 0; i < codes.length; i += AT_ONCE) {
    partners.push(...(await addAtOnce(installation, codes.slice(i, i + AT_ONCE))))
  }
  return partners
}

function addAtOnce(installation: Installation, codes: readonly string[]): Promise<BenchPartner[]> {
  return Promise.all(
    codes.map(async (code) => {
      await installation.command('partner', 'add', code, ...TERMS)
      const { key } = JSON.parse(await installation.command('key', 'issue', code, '--json')) as {
        key: string
      }
      return { code, key }
    }),
  )
}
