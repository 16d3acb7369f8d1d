import { parseCommand } from '#app/command.ts'
import type { Environment } from '#app/settings/config.ts'
import { examine, type Report } from './examine.ts'

export const DOCTOR = {
  usage: 'doctor\nChanges nothing. Exits 1 if something is wrong; a warning is not.',
  summary: 'say what is wrong with settings, database, keys and machine, and how to mend it',
  positionals: [],
  options: {},
}

// It also runs where no other command does: with wrong settings, a wrong key ring, or no database.
export async function runDoctor(argv: readonly string[], environment: Environment): Promise<number> {
  const { json } = parseCommand(DOCTOR, argv)
  const report = await examine(environment)
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : textOf(report))
  return report.ok ? 0 : 1
}

const MARKS = { ok: 'ok', warning: 'WARNING', wrong: 'WRONG' }

function textOf({ findings, skipped }: Report): string {
  const lines = findings.map(
    ({ check, level, says, mend }) =>
      `${MARKS[level].padEnd(8)} ${check.padEnd(12)} ${says}\n${mend === undefined ? '' : `${' '.repeat(22)}→ ${mend}\n`}`,
  )
  const count = (level: string) => findings.filter((finding) => finding.level === level).length
  const rest = skipped.length > 0 ? `not checked: ${skipped.join(', ')}\n` : ''
  return `${lines.join('')}${rest}\n${count('wrong')} wrong, ${count('warning')} warnings\n`
}
