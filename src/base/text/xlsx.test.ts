import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readXlsx } from 'hucre/xlsx'
import { type XlsxCell, xlsxFile } from './xlsx.ts'

async function* from(rows: readonly XlsxCell[][]) {
  yield* rows
}

async function bytesOf(file: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(file))
}

const LAST = () => ['the end'] as const

test('a spreadsheet reads back as it was written, and holds no formula', async () => {
  const rows: XlsxCell[][] = [
    ['한빛페이', 50_000, '9007199254740991'],
    ['=1+1', -3, '<&">'],
    ['', 0, 'a\u0000b\u001f\ud800 c_x0041_'],
    ['  blanks  ', 9_007_199_254_740_991, '\u200b=2'],
  ]
  const { sheets } = await readXlsx(
    await bytesOf(xlsxFile({ header: ['이름', 'won', 'id'], rows: from(rows), last: LAST })),
  )
  assert.equal(sheets.length, 1)
  assert.deepEqual(
    sheets[0]!.rows.map((row) => row.map((cell) => cell ?? '')),
    [['이름', 'won', 'id'], rows[0], rows[1], ['', 0, 'a b \ufffd c_x0041_'], rows[3], ['the end', '', '']],
  )
})

test('rows past the end of a sheet go on in the next, none twice and none left out', async () => {
  const rows = Array.from({ length: 25 }, (_, n): XlsxCell[] => [n])
  const file = xlsxFile({ header: ['n'], rows: from(rows), last: LAST, maxRows: 10 })
  const { sheets } = await readXlsx(await bytesOf(file))
  assert.deepEqual(
    sheets.map(({ rows: [header, ...rest] }) => [header, rest.length]),
    [
      [['n'], 9],
      [['n'], 9],
      [['n'], 8],
    ],
  )
  const all = sheets.flatMap(({ rows: [, ...rest] }) => rest.map(([cell]) => cell))
  assert.deepEqual(all, [...rows.flat(), 'the end'])
})

test('a spreadsheet of no rows still says that it is complete', async () => {
  const { sheets } = await readXlsx(await bytesOf(xlsxFile({ header: ['n'], rows: from([]), last: LAST })))
  assert.deepEqual(sheets[0]!.rows, [['n'], ['the end']])
})

test('rows that fail make a file that fails', async () => {
  async function* failing(): AsyncGenerator<XlsxCell[]> {
    yield [1]
    throw new Error('the database is gone')
  }
  await assert.rejects(bytesOf(xlsxFile({ header: ['n'], rows: failing(), last: LAST })), /database is gone/)
})
