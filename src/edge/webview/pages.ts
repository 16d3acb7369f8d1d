import { formatWon } from '#base/money.ts'
import { BRAND, documentOf, NOTHING, otherLanguage } from '#edge/pages/document.ts'
import { formatMoment } from '#edge/pages/format.ts'
import { type Html, html } from '#edge/pages/html.ts'
import type { Language } from '#edge/pages/language.ts'
import type { Visitor } from '#flows/continue-session.ts'
import type { Assets, MetalHolding } from '#flows/look-up-assets.ts'
import { formatDon, formatGrams } from './format.ts'
import { STYLE } from './style.ts'
import { TEXTS } from './texts.ts'

const LONG = 13 // characters of a total that fit a narrow phone in the largest type

export interface Landing {
  language: Language
  visitor: Pick<Visitor, 'maskedName' | 'partnerName'>
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
  return documentOf({
    language,
    title: texts.title,
    style: STYLE,
    body: html`<div class="page">
<header class="top">${BRAND}<nav aria-label="${texts.languages}">${otherLanguage(language)}</nav></header>
<main>
${note}
<section class="card">
<h1>${texts.holder(visitor.maskedName)}</h1>
<p class="total${total.length > LONG ? ' long' : ''}">${total}</p>
<p class="sub">${texts.asOf(formatMoment(assets.asOf, language))}</p>
<p class="sub">${texts.through(visitor.partnerName ?? '')}</p>
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
  })
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
