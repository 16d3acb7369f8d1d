import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from '#base/text/html.ts'
import { type Language, languageOf } from '#edge/http/language.ts'
import type { SiteDeps } from '#edge/site/deps.ts'
import { imprint } from '#edge/site/legal/imprint.ts'
import { guardWith, sendPage } from '#edge/site/pages/answers.ts'
import { BRAND, THEME } from '#edge/site/pages/document.ts'

// The paths of the pages, the same under / and, for visitors from a partner, under /webview. The browser's side knows
// them too (web/member/routes.tsx).
export const PAGES = [
  'register',
  'login',
  'receive',
  'signup',
  'signup/code',
  'signup/terms',
  'signup/partners',
  'signup/done',
  'recover',
  'recover/code',
  'recover/password',
  'assets',
  'trade/gold',
  'trade/silver',
  'history',
  'statement',
  'statement/check',
  'withdraw',
  'stop',
  'settings',
] as const

// These pages do not exist inside a partner's app: signing up, logging in and withdrawing.
export const WEB_VIEW_PAGES = PAGES.filter(
  (page) => !/^(?:login|receive|signup|recover|withdraw|stop|statement\/check)\b/.test(page),
)

// Only our own files: no inline script or style, nothing from other hosts, forms handled by script only.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors"

const WITHOUT_SCRIPT: Record<Language, string> = {
  ko: '이 화면은 자바스크립트가 필요해요. 브라우저 설정에서 켠 뒤 다시 열어 주세요.',
  en: 'These pages need JavaScript. Turn it on in your browser and open them again.',
}

interface Shell {
  mode: 'member' | 'webview' | 'console'
  page: string
  // The sites that may show it in a frame.
  frameAncestors?: readonly string[]
}

// The one document that every page starts from: what to load, where we are, and the first thing to show.
export function sendShell(
  deps: Pick<SiteDeps, 'publicUrl' | 'keyMode' | 'pages' | 'operator' | 'passkeyOrigin' | 'contact'>,
  request: FastifyRequest,
  reply: FastifyReply,
  // Without a list no site may frame the document.
  { mode, page, frameAncestors = [] }: Shell,
): FastifyReply {
  const language = languageOf(request)
  const base = new URL(deps.publicUrl).pathname.replace(/\/+$/, '')
  const { script, styles, ahead } = mode === 'console' ? deps.pages.console : deps.pages.member
  // The browser loads the parts of this page at once, and not only when the script asks for them.
  const soon = ahead[page.split('/')[0] ?? ''] ?? []
  // The site that passkeys belong to. Undefined if there are none, and in a partner's app.
  const { passkeyOrigin } = deps
  const passkeys = passkeyOrigin && mode !== 'webview' ? html` data-passkeys="${passkeyOrigin}"` : ''
  // The console is for the operator's own people, who need not be told who the operator is.
  const foot =
    mode === 'console'
      ? ''
      : html`<footer class="boot">${imprint(deps.operator, mode === 'webview' ? `${base}/webview` : base)}</footer>`
  guardWith(POLICY, reply, frameAncestors)
  return sendPage(
    reply,
    200,
    html`<!doctype html>
<html lang="${language}" data-base="${base}" data-mode="${mode}" data-sandbox="${String(deps.keyMode === 'test')}" data-contact="${deps.contact}"${passkeys}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
${THEME}
<meta name="format-detection" content="telephone=no">
<title>Ingot</title>
<link rel="icon" type="image/svg+xml" href="${base}/static/icon.svg">
${styles.map((name) => html`<link rel="stylesheet" href="${base}/static/${name}">`)}
<script type="module" src="${base}/static/${script}"></script>
${soon.map((name) => html`<link rel="modulepreload" href="${base}/static/${name}">`)}
</head>
<body>
<div id="root"><div class="boot">${BRAND}</div></div>
${foot}
<noscript><p class="boot" lang="ko">${WITHOUT_SCRIPT.ko}</p><p class="boot" lang="en">${WITHOUT_SCRIPT.en}</p></noscript>
</body>
</html>
`,
  )
}
