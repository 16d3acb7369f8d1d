import { colourStyle } from '#edge/site/pages/colours.ts'
import { SHARED_STYLE } from '#edge/site/pages/style.ts'

// The two kinds of bubbles look like what people know from their phones.
export const STYLE = `${SHARED_STYLE}${colourStyle(['chat', 'kakao', 'kakao-ink', 'code', 'code-ink'])}
@media screen and (prefers-color-scheme:dark){.command{outline:1px solid var(--line)}}
.page.wide{max-width:68rem}
.head{display:flex;flex-wrap:wrap;align-items:flex-start;justify-content:space-between;gap:12px 24px;padding:4px}
h1{font-size:1.5rem;font-weight:700}
.search{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:6px 8px;width:100%}
.search label,.search .bad{grid-column:1/-1;font-size:.875rem;font-weight:600}
.search .bad{color:var(--up)}
.search input{width:100%;min-width:0;min-height:48px;padding:8px 14px;border:1px solid var(--faint);border-radius:12px;background:var(--surface);color:inherit;font:inherit}
.search input[aria-invalid]{border-color:var(--up)}
.search .button{width:auto;min-height:48px;padding:8px 20px;border-radius:12px}
.all{justify-self:start;display:inline-flex;align-items:center;min-width:48px;min-height:48px;color:var(--link);font-size:.9375rem}
.kinds{display:flex;gap:8px;padding:0 4px}
.kinds a{display:inline-flex;align-items:center;min-height:48px;padding:8px 16px;border-radius:99px;background:var(--quiet);color:var(--body);font-size:.9375rem;font-weight:600;text-decoration:none}
.kinds a[aria-current]{background:var(--ink);color:var(--surface)}
.messages{display:grid;grid-template-columns:minmax(0,1fr);gap:16px;align-items:start;padding:0;list-style:none}
.message{overflow:hidden;border-radius:20px;background:var(--surface)}
.facts{display:flex;flex-wrap:wrap;gap:4px 12px;align-items:center;justify-content:space-between;padding:16px 16px 14px}
.facts h2{flex:1;font-size:1rem}
.sent{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 12px;width:100%}
.sent span{white-space:nowrap}
.badge{padding:2px 10px;border-radius:99px;background:var(--quiet);color:var(--body);font-size:.8125rem;font-weight:600}
.badge.delivered{background:var(--good);color:var(--good-ink)}
.badge.failed{background:var(--bad);color:var(--up)}
.badge.unknown{background:var(--warn);color:var(--warn-ink)}
.chat{display:grid;grid-template-columns:auto minmax(0,1fr);gap:4px 8px;padding:16px 12px}
.face{grid-row:1/3;display:grid;place-items:center;width:36px;height:36px;border-radius:13px;background:var(--surface)}
.face::before{content:"";width:20px;height:11px;background:var(--brand);clip-path:polygon(18% 0,82% 0,100% 100%,0 100%)}
.who{font-size:.8125rem}
.bubble{justify-self:start;max-width:22rem;overflow:hidden;border-radius:4px 16px 16px 16px;font-size:.9375rem;line-height:1.55}
.band{padding:9px 14px;background:var(--kakao);color:var(--kakao-ink);font-size:.8125rem;font-weight:700}
.said{padding:12px 14px 14px;white-space:pre-line}
.subject{display:block;margin-bottom:8px;font-weight:700}
.said a{display:flex;align-items:center;justify-content:center;min-height:48px;margin:6px 0 14px;padding:8px 12px;border-radius:10px;background:var(--ground);color:var(--link);font-weight:600;text-align:center;word-break:break-all}
.said a:hover{background:var(--line)}
.alimtalk .chat{background:var(--chat)}
.alimtalk .bubble{background:var(--surface)}
.text .chat{border-top:1px solid var(--line)}
.text .face{border-radius:50%;background:var(--warn)}
.text .bubble{background:var(--quiet)}
.text .said a{background:var(--surface)}
.id{display:flex;flex-wrap:wrap;gap:0 8px;padding:12px 16px 14px;color:var(--sub);font-size:.8125rem}
.id code,.command{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.id code{user-select:all;-webkit-user-select:all;word-break:break-all}
.why{padding:12px 16px 0;color:var(--up);font-size:.8125rem}
.numbers summary{display:flex;align-items:center;justify-content:space-between;min-height:48px;font-weight:600;cursor:pointer}
.numbers summary::after{content:"";width:.5rem;height:.5rem;margin-right:.25rem;border:solid var(--sub);border-width:0 2px 2px 0;transform:rotate(45deg)}
.numbers[open] summary::after{transform:rotate(-135deg)}
.numbers dl{margin-top:8px}
.numbers dl div{display:grid;grid-template-columns:minmax(0,1fr);padding:6px 0}
.numbers div+div{border-top:1px solid var(--line)}
.numbers dt a{display:inline-flex;align-items:center;min-height:48px;color:var(--link);font-weight:600}
.numbers dd{color:var(--sub);font-size:.9375rem}
.empty p{margin-top:.5rem;color:var(--sub)}
.command{margin-top:16px;padding:14px 16px;border-radius:12px;background:var(--code);color:var(--code-ink);font-size:.8125rem;line-height:1.6;white-space:pre-wrap;word-break:break-all;user-select:all;-webkit-user-select:all}
@media (min-width:40em){.numbers dl div{grid-template-columns:11rem minmax(0,1fr);align-items:center}.search{width:22rem}.page.wide{padding-left:24px;padding-right:24px}}
@media (min-width:52em){.messages{grid-template-columns:repeat(2,minmax(0,1fr))}}
`
