import { SHARED_STYLE } from '#edge/site/pages/style.ts'

// To be read: wider than the other pages, with lines that are not too long.
export const STYLE = `${SHARED_STYLE}.page{max-width:44rem}
.top a:hover .brand{text-decoration:none}
.top .brand{color:var(--ink)}
.text{display:flex;flex-direction:column;gap:12px;line-height:1.7}
.text h1{font-size:1.5rem;font-weight:700}
.text h2{margin-top:12px}
.text p,.text li,.text dd{color:var(--body)}
.text ul{padding-left:1.25rem}
a{color:var(--link)}
.text a{display:inline-flex;align-items:center;min-width:48px;min-height:48px}
dl div{display:flex;flex-wrap:wrap;gap:0 8px}
dt{color:var(--sub)}
.versions{display:flex;flex-wrap:wrap;gap:0 8px;margin-top:4px;padding:0;list-style:none}
.versions a{white-space:nowrap}
.versions a{display:inline-flex;align-items:center;justify-content:center;min-width:48px;min-height:48px;padding:0 8px}
.versions a[aria-current]{color:var(--ink);font-weight:700;text-decoration:none}
@media print{.top,.imprint,.card[aria-label]{display:none}.card{padding:0}}
`
