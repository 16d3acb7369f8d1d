import { Buffer } from 'node:buffer'
import { BOM, csvLine, csvText } from '#base/text/csv.ts'
import { type XlsxCell, xlsxFile } from '#base/text/xlsx.ts'
import { lastDayOf } from '#modules/settlement/rules.ts'
import type { Correction, StatementData } from '#modules/settlement/types.ts'

// Files of a statement, from its stored data alone: the same data make the same bytes, whatever has changed since.

type Row = [section: string, item: string, detail: string, amount: XlsxCell, count: XlsxCell]

const HEADER = ['구분', '항목', '내용', '금액(원)', '건수']
const won = (amount: bigint): XlsxCell => Number(amount)

const FIGURES: Record<Correction['figure'], string> = {
  issued: '발행 정정',
  used: '사용 정정',
  voided: '발행 취소 정정',
}

const percentText = (bps: number) => `${bps / 100}%`

function namedBy({ statement, from, to }: Correction): string {
  return statement ?? `${from} ~ ${lastDayOf({ from, to })}`
}

function headRows({ number, partner, books, ...period }: StatementData): Row[] {
  const row = (item: string, detail: string | null): Row[] =>
    detail === null ? [] : [['정산서', item, detail, '', '']]
  return [
    ...row('번호', number),
    ...row('기간', `${period.from} ~ ${lastDayOf(period)}`),
    ...row('제휴사', `${partner.legalName} (${partner.code})`),
    ...row('사업자등록번호', partner.businessNumber),
    ...row('대표자', partner.representative),
    ...row('주소', partner.address),
    ...row('원장', `${books.day} 마감, 이체 ${books.throughId}까지, ${books.hash}`),
  ]
}

function cardRows({ cards }: StatementData): Row[] {
  const section = '상품권 (부가세 과세 대상 아님)'
  const row = (item: string, amount: bigint, detail = '', count: XlsxCell = ''): Row => [
    section,
    item,
    detail,
    won(amount),
    count,
  ]
  return [
    row('기초 미수금', cards.opening),
    row('발행', cards.issued.amount, '', Number(cards.issued.count)),
    row('발행 취소', -cards.voided.amount, '', Number(cards.voided.count)),
    row('사용', cards.used.amount, '참고: 청구액에 들어가지 않음', Number(cards.used.count)),
    ...cards.corrections.map((one) =>
      row(
        FIGURES[one.figure],
        one.figure === 'voided' ? -one.amount : one.amount,
        namedBy(one),
        Number(one.count),
      ),
    ),
    row('청구 합계', cards.charged),
    row('입금', -cards.paid),
    row('기말 미수금', cards.closing),
    row('예치금 사용', -cards.deposit + cards.depositLeft),
    row('남은 예치금', cards.depositLeft),
    row('납부할 금액', cards.due),
  ]
}

function commissionRows({ commission, cards }: StatementData): Row[] {
  const section = '수수료 (부가세 과세 대상)'
  const row = (item: string, amount: bigint, detail = ''): Row => [section, item, detail, won(amount), '']
  return [
    row('기초 미수금', commission.opening),
    ...commission.lines.map((line) =>
      row(
        '공급가액',
        line.supply,
        `${line.from} ~ ${lastDayOf(line)} ${line.base === 'used' ? '사용액' : '발행액'} ${line.of}원 × ${percentText(line.bps)}`,
      ),
    ),
    ...cards.corrections
      .filter(({ supply }) => supply !== 0n)
      .map((one) => row('공급가액 정정', one.supply, namedBy(one))),
    row('공급가액 합계', commission.supply),
    ...cards.corrections
      .filter(({ vat }) => vat !== undefined && vat !== 0n)
      .map((one) => row('부가세 정정', one.vat!, namedBy(one))),
    row('부가세 10%', commission.vat),
    row('입금', -commission.paid),
    row('기말 미수금', commission.closing),
    row('이월 정정액', -commission.credit + commission.creditLeft),
    row('납부할 금액', commission.due),
  ]
}

export function statementRows(data: StatementData): Row[] {
  return [
    ...headRows(data),
    ...cardRows(data),
    ...commissionRows(data),
    ['합계', '납부할 금액', '', won(data.due), ''],
    ...data.payments.map(
      ({ reference, amount, at, pays }): Row => [
        '입금 내역',
        reference,
        [at, ...pays.map((one) => `${one.statement} ${one.amount}원`)].join(', '),
        won(amount),
        '',
      ],
    ),
    ...data.days.flatMap(({ day, issued, used, voided }): Row[] => [
      ['일별', '발행', day, won(issued), ''],
      ['일별', '발행 취소', day, won(-voided), ''],
      ['일별', '사용', day, won(used), ''],
    ]),
  ]
}

const lastLine = (rows: number) => `파일 끝: 전체 ${rows}행`

export function statementCsv(data: StatementData): Buffer {
  const rows = statementRows(data)
  const lines = rows.map((row) =>
    csvLine(row.map((cell) => (typeof cell === 'number' ? String(cell) : csvText(cell)))),
  )
  return Buffer.from(BOM + csvLine(HEADER) + lines.join('') + csvLine([lastLine(rows.length)]))
}

export async function statementXlsx(data: StatementData): Promise<Buffer> {
  const rows = statementRows(data)
  async function* each(): AsyncGenerator<readonly XlsxCell[]> {
    yield* rows
  }
  const chunks: Buffer[] = []
  for await (const chunk of xlsxFile({ header: HEADER, rows: each(), last: () => [lastLine(rows.length)] }))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}
