import type { Buffer } from 'node:buffer'
import { type ReportDeps, readPersonReport, readReport } from '#flows/reports/read-report.ts'
import { type ReportFormat, reportFile } from '#flows/reports/render-report.ts'
import type { OpenReport, Report, ReportRefusal } from '#flows/reports/report.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

interface FileWanted {
  format: ReportFormat
  language: 'ko' | 'en'
}

interface ExportCommand extends FileWanted {
  name: OpenReport
  from?: string | undefined
  to?: string | undefined
  actor: string
}

export interface ReportFile {
  kind: 'file'
  fileName: string
  content: Buffer
}

// In the audit log before the file leaves.
export async function exportReport(
  deps: ReportDeps,
  { name, from, to, actor, ...wanted }: ExportCommand,
): Promise<ReportFile | ReportRefusal> {
  const report = await readReport(deps, name, { from, to })
  if (report.kind === 'refused') return report
  const details = { ...report.days, format: wanted.format, rows: report.rows.length }
  await deps.database.withTransaction((tx) =>
    insertAuditEntry(tx, { actor, action: 'report.export', subject: name, details }),
  )
  return fileOf(report, wanted)
}

// The entry of the reading is the file's too: it names the person, the days and the reason.
export async function exportPersonReport(
  deps: ReportDeps,
  { format, language, ...command }: Parameters<typeof readPersonReport>[1] & FileWanted,
): Promise<ReportFile | ReportRefusal> {
  const report = await readPersonReport(deps, command)
  return report.kind === 'refused' ? report : fileOf(report, { format, language })
}

async function fileOf(report: Report, { format, language }: FileWanted): Promise<ReportFile> {
  const { from, to } = report.days
  return {
    kind: 'file',
    fileName: `ingot-${report.name}-${from}-${to}.${format}`,
    content: await reportFile(report, format, language),
  }
}
