import { anchorPath, readAnchors } from '#app/audit/anchor-file.ts'
import { type AuditFigures, readAuditFigures } from '#modules/audit/figures.ts'
import { type Finding, findingText } from '#modules/audit/findings.ts'
import { HAS_TABLES } from './data-checks.ts'
import { all, databaseCheck, ok, warning, wrong } from './types.ts'

interface AuditFacts {
  // Undefined: there are no tables yet, or those of a release before.
  figures: AuditFigures | undefined
  anchors: number
  path: string
}

const LATE_SECONDS = 600 // the worker seals within seconds

export const audit = databaseCheck<AuditFacts>({
  name: 'audit log',
  async read({ database }, { dataDir }) {
    const path = anchorPath(dataDir)
    const [there] = await database.read<{ there: boolean }>(HAS_TABLES, [])
    const [has] = await database.read<{ there: boolean }>(HAS_CHAIN, [])
    const [figures] = there!.there && has!.there ? await readAuditFigures(database) : []
    return { figures, anchors: readAnchors(path)?.length ?? 0, path }
  },
  judge({ figures, anchors, path }, { roles }) {
    if (!figures) return [ok('there is no chain yet: the first start makes it')]
    const { unsealedSeconds, unanchoredSeconds, finding } = figures
    return all(
      [
        finding !== null &&
          wrong(
            `the audit log is not whole: ${findingText(JSON.parse(finding) as Finding)}`,
            'Run: ingot audit verify. docs/runbooks/IngotAuditChainBroken.md says what to do.',
          ),
        unsealedSeconds > LATE_SECONDS &&
          warning(
            `audit entries have waited ${Math.floor(unsealedSeconds / 60)} minutes for their place in the chain`,
            'Is a worker running? Its log says "audit log not sealed" and why.',
          ),
        roles.worker &&
          unanchoredSeconds > 7_200 &&
          warning(
            `nothing outside the database vouches for the last ${Math.floor(unanchoredSeconds / 60)} minutes of the audit log`,
            'Is a worker running, and can it write to DATA_DIR? Or run: ingot audit anchor',
          ),
      ],
      anchors === 0 ? 'whole; no anchor is kept in this DATA_DIR' : `whole; ${anchors} anchors in ${path}`,
    )
  },
})

const HAS_CHAIN = {
  name: 'doctor_has_chain',
  text: `select to_regclass('audit_chain') is not null as there`,
}
