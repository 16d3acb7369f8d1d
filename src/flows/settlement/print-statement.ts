import { hash } from 'node:crypto'
import { type Html, html } from '#base/text/html.ts'
import { lastDayOf } from '#modules/settlement/rules.ts'
import type { StatementData } from '#modules/settlement/types.ts'
import { statementRows } from './render-statement.ts'

// Black on white in any scheme: it is made for paper.
const STYLE = `:root{color-scheme:light}
body{margin:2rem auto;max-width:46rem;padding:0 1rem;background:white;color:black;font:14px/1.5 system-ui,sans-serif}
h1{font-size:1.4rem;margin:0}
p{margin:.2rem 0}
table{width:100%;border-collapse:collapse;margin-top:1rem}
caption{text-align:left;font-weight:600;padding:.5rem 0}
th,td{border-bottom:1px solid silver;padding:.3rem .4rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
thead th,tfoot td{border-bottom-color:black;font-weight:600}
td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
@media print{body{margin:0;max-width:none;padding:0}tr{break-inside:avoid}}`

export const PRINT_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

// The page to print, from the stored data alone. digest: the statement's hash.
export function statementPage(data: StatementData, digest: string): string {
  const { partner, number } = data
  const [head, body] = Object.entries(Object.groupBy(statementRows(data), ([section]) => section)).reduce<
    [string[], Html[]]
  >(
    ([facts, tables], [section, rows]) =>
      section === '정산서'
        ? [rows!.map(([, item, detail]) => `${item}: ${detail}`), tables]
        : [facts, [...tables, table(section, rows!)]],
    [[], []],
  )
  const page = html`<!doctype html>
<html lang="ko">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${number} · ${partner.legalName}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>정산서 ${number}</h1>
<p>${data.from} ~ ${lastDayOf(data)}</p>
${head.map(
  (fact) => html`<p>${fact}</p>
`,
)}
${body}
<p>SHA-256 ${digest}</p>
</main>
</body>
</html>
`
  return page.text
}

const style = html([STYLE] as unknown as TemplateStringsArray)

function table(section: string, rows: readonly (readonly (string | number)[])[]): Html {
  return html`<table>
<caption>${section}</caption>
<thead><tr><th scope="col">항목</th><th scope="col">내용</th><th scope="col" class="n">금액(원)</th><th scope="col" class="n">건수</th></tr></thead>
<tbody>
${rows.map(
  ([
    ,
    item,
    detail,
    amount,
    count,
  ]) => html`<tr><td>${String(item)}</td><td>${String(detail)}</td><td class="n">${grouped(amount!)}</td><td class="n">${grouped(count!)}</td></tr>
`,
)}</tbody>
</table>
`
}

const grouped = (cell: string | number) => String(cell).replace(/\B(?=(\d{3})+$)/g, ',')
