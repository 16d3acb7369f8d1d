import { type ColourName, colourStyle } from './colours.ts'

const USED: readonly ColourName[] = [
  ...(['ground', 'surface', 'ink', 'body', 'sub', 'faint', 'line', 'quiet', 'link', 'focus', 'up'] as const),
  ...([
    'warn',
    'warn-ink',
    'bad',
    'good',
    'good-ink',
    'action',
    'action-hover',
    'on-action',
    'brand',
  ] as const),
]

// What all pages look like, inside each of them: nothing is loaded from anywhere. Text is in rem, so that it follows
// the reader's text size; the space around it is not, so that more of it is left for the text. The imprint is as in
// web/kit/style.css.
export const SHARED_STYLE = `
${colourStyle(USED)}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{min-height:100vh;min-height:100dvh;background:var(--ground);color:var(--ink);line-height:1.5;
font-family:-apple-system,BlinkMacSystemFont,"Apple SD Gothic Neo","Segoe UI",Roboto,"Malgun Gothic","Noto Sans KR","Noto Sans CJK KR",sans-serif;
font-variant-numeric:tabular-nums;word-break:keep-all;overflow-wrap:anywhere;-webkit-font-smoothing:antialiased;
padding:env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left)}
.page{display:flex;flex-direction:column;gap:12px;max-width:30rem;min-height:100vh;min-height:100dvh;margin:0 auto;padding:4px 16px 16px}
.top{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;min-height:48px;padding:0 4px}
.brand{display:flex;align-items:center;gap:.5rem;font-weight:700;letter-spacing:-.01em}
.brand::before{content:"";width:1.125rem;height:.625rem;background:var(--brand);clip-path:polygon(18% 0,82% 0,100% 100%,0 100%)}
.top nav{display:flex}
.top a{display:flex;align-items:center;justify-content:center;min-width:48px;min-height:48px;padding:0 4px;color:var(--sub);font-size:.9375rem;text-decoration:none}
.top a:hover{color:var(--ink);text-decoration:underline}
main{display:flex;flex-direction:column;gap:12px}
.card{background:var(--surface);border-radius:20px;padding:24px 20px}
.note{background:var(--warn);color:var(--warn-ink);border-radius:14px;padding:12px 20px;font-size:.875rem}
h1{font-size:1.0625rem;font-weight:600;line-height:1.4}
.sub{color:var(--sub);font-size:.875rem}
h2{font-size:1.0625rem;font-weight:600}
.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:3.5rem;padding:12px 16px;border:0;border-radius:16px;background:var(--quiet);color:var(--body);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
.button:hover{background:var(--line)}
.main{background:var(--action);color:var(--on-action)}
.main:hover{background:var(--action-hover)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.notice{flex:1;justify-content:center;padding-bottom:15vh}
.notice .card{padding:32px 24px}
.notice h1{font-size:1.375rem;font-weight:700}
.notice p{margin-top:.5rem;color:var(--sub)}
.notice .button{margin-top:20px}
.other{margin-top:28px;padding-top:28px;border-top:1px solid var(--line)}
.imprint dl div{display:flex;flex-wrap:wrap;gap:0 8px}
.imprint dt{color:var(--sub)}
.imprint{padding:8px 4px;color:var(--sub);font-size:.8125rem}
html[lang=ko] .imprint>[lang=en],html[lang=en] .imprint>[lang=ko]{display:none}
.imprint nav{display:flex;flex-wrap:wrap;justify-content:center}
.imprint a,.imprint summary{display:flex;align-items:center;justify-content:center;min-width:48px;min-height:48px;padding:0 8px;color:var(--sub)}
.imprint a[href*="/privacy"]{font-weight:700}
.imprint summary{cursor:pointer}
.whole{white-space:nowrap}
@media (min-width:40em){.page{padding-top:24px;padding-bottom:40px}.card{padding:28px}}
`
