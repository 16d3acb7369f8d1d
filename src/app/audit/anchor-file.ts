import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Outside } from '#flows/audit/judge-anchors.ts'
import { type AnchorPlace, parseAnchors } from '#modules/audit/anchors.ts'

// Beside the database and never in it: whoever can write to the database cannot write here.
export const anchorPath = (dataDir: string) => join(dataDir, 'audit-anchors.log')

export const anchorPlace = (dataDir: string): AnchorPlace => ({ host: hostname(), folder: dataDir })

export function readAnchors(path: string) {
  return existsSync(path) ? parseAnchors(readFileSync(path, 'utf8')) : undefined
}

export function outsideOf(dataDir: string): Outside {
  return { place: anchorPlace(dataDir), anchors: readAnchors(anchorPath(dataDir)) }
}

// On disk before the database hears of it. A line that a power cut left half written is none; the next one begins anew.
export function appendAnchor(dataDir: string, line: string): void {
  const path = anchorPath(dataDir)
  const file = openSync(path, 'a', 0o600)
  try {
    writeSync(file, `${endsInLine(path) ? '' : '\n'}${line}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

// Kept for an auditor, under another name.
export function setAnchorsAside(dataDir: string): void {
  const path = anchorPath(dataDir)
  if (existsSync(path)) renameSync(path, `${path}.${Temporal.Now.instant().epochMilliseconds}`)
}

function endsInLine(path: string): boolean {
  const text = readFileSync(path, 'utf8')
  return text === '' || text.endsWith('\n')
}
