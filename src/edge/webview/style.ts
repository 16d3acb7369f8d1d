import { SHARED_STYLE } from '#edge/pages/style.ts'

export const STYLE = `${SHARED_STYLE}.total{margin:.25rem 0 .75rem;font-size:min(2.25rem,11vw);font-weight:700;line-height:1.2;letter-spacing:-.02em}
.total.long{font-size:min(2.25rem,8vw)}
.rows{margin-top:.5rem}
.row{display:grid;grid-template-columns:minmax(0,1fr) auto;align-items:baseline;column-gap:12px;padding:14px 0}
.row+.row{border-top:1px solid #eef0f2}
.row:last-child{padding-bottom:0}
.row dt{font-weight:500}
.row dd{text-align:right}
.row .value{font-weight:600}
.row .held{text-align:left}
@media (max-width:18em){.row{grid-template-columns:minmax(0,1fr)}.row dd{text-align:left}}
.gold::before,.silver::before{content:"";display:inline-block;width:.625rem;height:.625rem;margin-right:.5rem;border-radius:50%}
.gold::before{background:#d9a514}
.silver::before{background:#a9b4c0}
.gold{color:#8a6a00}
form{margin-top:auto;padding-top:12px}
@media (min-width:40em){.total{font-size:2.5rem}form{margin-top:0}}
`
