import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROWS_PER_MARK, type XlsxCell, xlsxFile } from '#base/text/xlsx.ts'
import { MARKS, markCounter } from '../../web/console/shared/list/count-marks.ts'

async function* rows(count: number): AsyncGenerator<XlsxCell[]> {
  for (let n = 0; n < count; n += 1) yield [n, `row ${n}`]
}

test('the rows of a spreadsheet are counted while it comes, wherever it is cut', async () => {
  const file = Buffer.concat(
    await Array.fromAsync(xlsxFile({ header: ['n', 'text'], rows: rows(5_000), last: () => ['the end'] })),
  )
  for (const size of [1, 3, 1_000, file.length]) {
    const count = markCounter(MARKS.xlsx)
    let marks = 0
    for (let at = 0; at < file.length; at += size) marks = count(file.subarray(at, at + size))
    // And one for each of the few parts around the rows.
    assert.ok(marks >= 5_000 / ROWS_PER_MARK && marks <= 5_000 / ROWS_PER_MARK + 6, `${marks} of ${size}`)
  }
})

test('a mark is found after zeros that belong to none', () => {
  const count = markCounter(MARKS.xlsx)
  assert.equal(count(Uint8Array.of(0, 0, 0, 0xff, 0xff, 0, 0xff, 0, 0, 0xff)), 1)
  assert.equal(count(Uint8Array.of(0xff)), 2)
  assert.equal(markCounter(MARKS.csv)(Uint8Array.of(10, 65, 10)), 2)
})
