import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatMoment } from '#edge/pages/format.ts'
import { html } from '#edge/pages/html.ts'
import { formatDon, formatGrams } from './format.ts'
import { landingPage } from './pages.ts'
import { TEXTS } from './texts.ts'

const AMOUNTS: [units: bigint, grams: string, don: string][] = [
  [0n, '0 g', '0돈'],
  [1n, '0.0001 g', '0돈'],
  [12_345n, '1.2345 g', '0.329돈'],
  [37_500n, '3.75 g', '1돈'],
  [37_499n, '3.7499 g', '0.999돈'],
  [10_000n, '1 g', '0.266돈'],
  [123_456_789_000n, '12,345,678.9 g', '3,292,181.04돈'],
]
for (const [units, grams, don] of AMOUNTS) {
  test(`${units} units: ${grams}, ${don}`, () => {
    assert.deepEqual([formatGrams(units), formatDon(units, 'ko')], [grams, don])
  })
}

test('moments are Seoul moments', () => {
  const moment = Temporal.Instant.from('2026-12-31T15:05:59Z')
  assert.equal(formatMoment(moment, 'ko'), '2027년 1월 1일 0:05')
  assert.equal(formatMoment(moment, 'en'), '1 Jan 2027, 0:05')
})

test('what is put into a page is text, unless it is HTML of ours', () => {
  const inner = html`<b>${`<i a="b" c='d'>&`}</b>`
  assert.equal(
    html`<p title="${'"'}">${inner}${[inner]}</p>`.text,
    `<p title="&quot;">${inner.text}${inner.text}</p>`,
  )
  assert.equal(inner.text, '<b>&lt;i a=&quot;b&quot; c=&#39;d&#39;&gt;&amp;</b>')
})

test('the sandbox note is on sandbox pages only', () => {
  const metal = { units: 0n, wonPerGram: 1n, value: 0n }
  const landing = {
    language: 'ko' as const,
    visitor: { partnerName: 'p', maskedName: '홍*동' },
    assets: {
      asOf: Temporal.Instant.from('2026-12-31T15:05:59Z'),
      points: 0n,
      deposit: 0n,
      gold: metal,
      silver: metal,
      totalValue: 0n,
    },
    leavePath: '/webview/leave',
    leaveTokens: [],
  }
  for (const sandbox of [true, false]) {
    assert.equal(landingPage({ ...landing, sandbox }).text.includes(TEXTS.ko.sandbox), sandbox)
  }
})
