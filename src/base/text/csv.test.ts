import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvCell, csvLine, csvText } from './csv.ts'

const CELLS: [text: string, cell: string][] = [
  ['', ''],
  ['한빛페이', '한빛페이'],
  ['한빛페이 Hanbit Pay', '한빛페이 Hanbit Pay'],
  ['a"b', '"a""b"'],
  ['a,b', '"a,b"'],
  ['a;=1+1', '"a;=1+1"'],
  ['-10000', '-10000'],
  ['+0.0500', '+0.0500'],
  ['2026-11-16 12:00:00', '2026-11-16 12:00:00'],
  ['=1+1', "'=1+1"],
  ['+1+1', "'+1+1"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-1x', "'-1x"],
  [' =1+1', "' =1+1"],
  ['\u3000=1+1', "'\u3000=1+1"],
  ['\u00a0\u2003@x', "'\u00a0\u2003@x"],
  ['\t=1+1', "' =1+1"],
  ['\r\n=1+1', "' =1+1"],
  ['\u0000=1+1', "' =1+1"],
  ['\u0085-1+1', "' -1+1"],
  ['\u200b=1+1', "'\u200b=1+1"],
  ['\u200b \u2060=1+1', "'\u200b \u2060=1+1"],
  ['\ufeff=1+1', "'\ufeff=1+1"],
  ['\u202e=1+1', "'\u202e=1+1"],
  ['\u00ad=1+1', "'\u00ad=1+1"],
  ['\u3164=1+1', "'\u3164=1+1"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠x', "'＠x"],
  ['﹦1', "'﹦1"],
  ['\u22121+1', "'\u22121+1"],
  [' ＝cmd|" /C calc"!A0', '"\' ＝cmd|"" /C calc""!A0"'],
  ['a\nb', 'a b'],
  ['a=b', 'a=b'],
]
for (const [text, cell] of CELLS) {
  test(`a cell of CSV: ${JSON.stringify(text)}`, () => assert.equal(csvCell(text), cell))
}

test('a line of CSV ends as RFC 4180 says', () => {
  assert.equal(csvLine(['a', '=1', 'b,c']), `a,'=1,"b,c"\r\n`)
})

const TEXTS: [text: string, cell: string][] = [
  ['9007199254740991', "'9007199254740991"],
  ['123456789012', "'123456789012"],
  ['12345678901', '12345678901'],
  ['01012345678', "'01012345678"],
  ['0', '0'],
  ['hanbit-1', 'hanbit-1'],
]
for (const [text, cell] of TEXTS) {
  test(`digits that stay text: ${text}`, () => assert.equal(csvCell(csvText(text)), cell))
}
