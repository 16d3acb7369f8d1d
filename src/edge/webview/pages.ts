import { formatWon } from '#base/money.ts'
import type { Visitor } from '#flows/continue-web-view.ts'
import type { Assets, MetalHolding } from '#flows/look-up-assets.ts'
import { formatDon, formatGrams, formatMoment } from './format.ts'
import { Html, html } from './html.ts'
import type { Language } from './language.ts'
import { STYLE } from './style.ts'
import { NOTICES, type NoticeKind, TEXTS } from './texts.ts'

const LONG = 13 // characters of a total that fit a narrow phone in the largest type
const NOTHING = new Html('')
const BRAND = html`<span class="brand">Ingot</span>`

function document(language: Language, title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${title} · Ingot</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`
}

export interface Landing {
  language: Language
  visitor: Visitor
  assets: Assets
  sandbox: boolean
  leavePath: string
  leaveTokens: readonly string[]
}

export function landingPage({ language, visitor, assets, sandbox, leavePath, leaveTokens }: Landing): Html {
  const texts = TEXTS[language]
  const total = formatWon(assets.totalValue)
  const tokens = leaveTokens.map((token) => html`<input type="hidden" name="token" value="${token}">`)
  const note = sandbox ? html`<p class="note">${texts.sandbox}</p>` : NOTHING
  return document(
    language,
    texts.title,
    html`<div class="page">
<header class="top">${BRAND}<nav aria-label="${texts.languages}">${otherLanguage(language)}</nav></header>
<main>
${note}
<section class="card">
<h1>${texts.holder(visitor.maskedName)}</h1>
<p class="total${total.length > LONG ? ' long' : ''}">${total}</p>
<p class="sub">${texts.asOf(formatMoment(assets.asOf, language))}</p>
<p class="sub">${texts.through(visitor.partnerName)}</p>
</section>
<section class="card">
<h2>${texts.holdings}</h2>
<dl class="rows">
${metal(language, 'gold', assets.gold)}
${metal(language, 'silver', assets.silver)}
${won(texts.points, assets.points)}
${won(texts.deposit, assets.deposit)}
</dl>
</section>
</main>
<form method="post" action="${leavePath}">${tokens}<button class="button">${texts.leave}</button></form>
</div>`,
  )
}

function otherLanguage(language: Language): Html {
  return language === 'ko'
    ? html`<a href="?lang=en" lang="en" hreflang="en">English</a>`
    : html`<a href="?lang=ko" lang="ko" hreflang="ko">한국어</a>`
}

function won(name: string, amount: bigint): Html {
  return html`<div class="row"><dt>${name}</dt><dd class="value">${formatWon(amount)}</dd></div>`
}

function metal(language: Language, name: 'gold' | 'silver', held: MetalHolding): Html {
  const texts = TEXTS[language]
  const amount = `${formatGrams(held.units)} · ${formatDon(held.units, language)}`
  return html`<div class="row"><dt class="${name}">${texts[name]}</dt>
<dd class="value">${formatWon(held.value)}</dd>
<dd class="sub held">${amount}</dd>
<dd class="sub">${texts.perGram(formatWon(held.wonPerGram))}</dd></div>`
}

// In both languages, since whoever meets it may be a stranger to us: the reader's own first.
export function noticePage(kind: NoticeKind, language: Language): Html {
  const other = language === 'ko' ? 'en' : 'ko'
  const title = NOTICES[kind][language].title
  return document(
    language,
    title,
    html`<div class="page">
<header class="top">${BRAND}</header>
<main class="notice">
<div class="card">
<h1>${title}</h1>${rest(kind, language, 'button main')}
<section class="other" lang="${other}"><h2>${NOTICES[kind][other].title}</h2>${rest(kind, other, 'button')}</section>
</div>
</main>
</div>`,
  )
}

function rest(kind: NoticeKind, language: Language, look: string): Html {
  const notice: { body: string; retry?: string } = NOTICES[kind][language]
  const retry = notice.retry ? html`<a class="${look}" href="">${notice.retry}</a>` : NOTHING
  return html`<p>${notice.body}</p>${retry}`
}
