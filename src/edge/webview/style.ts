// One sheet for all pages, inside each of them: nothing is loaded from anywhere. Sizes are in rem, so that they
// follow the reader's text size; lines wrap before anything has to scroll sideways.
export const STYLE = `
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{min-height:100vh;min-height:100dvh;background:#f2f4f6;color:#191f28;line-height:1.5;
font-family:-apple-system,BlinkMacSystemFont,"Apple SD Gothic Neo","Segoe UI",Roboto,"Malgun Gothic","Noto Sans KR","Noto Sans CJK KR",sans-serif;
font-variant-numeric:tabular-nums;word-break:keep-all;overflow-wrap:anywhere;-webkit-font-smoothing:antialiased;
padding:env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left)}
.page{display:flex;flex-direction:column;gap:.75rem;max-width:30rem;min-height:100vh;min-height:100dvh;margin:0 auto;padding:.25rem 1rem 1rem}
.top{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;min-height:48px;padding:0 .25rem}
.brand{display:flex;align-items:center;gap:.5rem;font-weight:700;letter-spacing:-.01em}
.brand::before{content:"";width:1.125rem;height:.625rem;background:#c79a1b;clip-path:polygon(18% 0,82% 0,100% 100%,0 100%)}
.top nav{display:flex}
.top a{display:flex;align-items:center;justify-content:center;min-width:48px;min-height:48px;padding:0 .25rem;color:#4e5968;font-size:.9375rem;text-decoration:none}
.top a:hover{color:#191f28;text-decoration:underline}
main{display:flex;flex-direction:column;gap:.75rem}
.card{background:#fff;border-radius:1.25rem;padding:1.5rem 1.25rem}
.note{background:#fff6dd;color:#6b5200;border-radius:.875rem;padding:.75rem 1.25rem;font-size:.875rem}
h1{font-size:1.0625rem;font-weight:600;line-height:1.4}
.total{margin:.25rem 0 .75rem;font-size:min(2.25rem,11vw);font-weight:700;line-height:1.2;letter-spacing:-.02em}
.sub{color:#4e5968;font-size:.875rem}
h2{font-size:1.0625rem;font-weight:600}
.rows{margin-top:.5rem}
.row{display:flex;flex-wrap:wrap;align-items:baseline;column-gap:.75rem;padding:.875rem 0}
.row+.row{border-top:1px solid #eef0f2}
.row:last-child{padding-bottom:0}
.row dt{flex:1 1 55%;font-weight:500}
.row dd{flex:0 1 auto;margin-left:auto;text-align:right}
.row .value{font-weight:600}
.row .held{flex:1 1 50%;margin-left:0;text-align:left}
.gold::before,.silver::before{content:"";display:inline-block;width:.625rem;height:.625rem;margin-right:.5rem;border-radius:50%}
.gold::before{background:#d9a514}
.silver::before{background:#a9b4c0}
.gold{color:#8a6a00}
form{margin-top:auto;padding-top:.75rem}
.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:3.5rem;padding:.75rem 1rem;border:0;border-radius:1rem;background:#e3e7eb;color:#333d4b;font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
.button:hover{background:#d7dce1}
.main{background:#0064ff;color:#fff}
.main:hover{background:#0055d9}
:focus-visible{outline:3px solid #0064ff;outline-offset:2px}
.notice{flex:1;justify-content:center;padding-bottom:15vh}
.notice .card{padding:2rem 1.5rem}
.notice h1{font-size:1.375rem;font-weight:700}
.notice p{margin-top:.5rem;color:#4e5968}
.notice .button{margin-top:1.25rem}
.other{margin-top:1.75rem;padding-top:1.75rem;border-top:1px solid #e5e8eb}
@media (min-width:40em){.page{padding-top:1.5rem;padding-bottom:2.5rem}.card{padding:1.75rem}.total{font-size:2.5rem}form{margin-top:0}}
`
