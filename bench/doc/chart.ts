import { type Run, spreadOf } from '../outcome.ts'
import { roundsOf } from '../rounds.ts'

// Bars of what is done per second, by part, with a line from the lowest round to the highest.
const WIDTH = 900
const LABELS = 330
const FIGURES = 70
const ROW = 20
const HEADING = 34
const COLOUR = '#b8860b'

export function chartOf({ parts }: Run): string {
  const bars = parts.map(({ part, measured }) => ({
    part,
    rows: measured.map((row) => ({ name: row.name, ...spreadOf(roundsOf(row, 'perSecond')) })),
  }))
  const most = Math.max(...bars.flatMap(({ rows }) => rows.map(({ highest }) => highest)))
  const scale = (WIDTH - LABELS - FIGURES) / most
  const lines: string[] = []
  let y = 0
  for (const { part, rows } of bars) {
    y += HEADING
    lines.push(`<text x="0" y="${y - 10}" font-weight="bold">${escaped(part)}, per second</text>`)
    for (const row of rows) {
      lines.push(...bar(row, y, scale))
      y += ROW
    }
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 8}" font-family="sans-serif" font-size="12">`,
    '<title>Requests per second, with the lowest and the highest round</title>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    '<g transform="translate(8 0)">',
    ...lines,
    '</g>',
    '</svg>\n',
  ].join('\n')
}

interface Bar {
  name: string
  lowest: number
  middle: number
  highest: number
}

function bar({ name, lowest, middle, highest }: Bar, y: number, scale: number): string[] {
  const at = (value: number) => (LABELS + value * scale).toFixed(1)
  const centre = y + ROW / 2 - 1
  return [
    `<text x="${LABELS - 8}" y="${y + 13}" text-anchor="end">${escaped(name)}</text>`,
    `<rect x="${LABELS}" y="${y + 2}" width="${(middle * scale).toFixed(1)}" height="${ROW - 6}" fill="${COLOUR}"/>`,
    `<path d="M${at(lowest)} ${centre}H${at(highest)}" stroke="#222" stroke-width="2"/>`,
    `<text x="${Number(at(highest)) + 6}" y="${y + 13}">${Math.round(middle).toLocaleString('en-US')}</text>`,
  ]
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
