import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { GUESS_KINDS } from '#modules/guesses/types.ts'
import { METALS } from '#modules/pricing/types.ts'
import { LIVE_PROVIDERS } from '#test/deliveries.ts'
import { NHN_MESSAGING } from '#test/messaged-service.ts'
import { call, startService } from '#test/service.ts'

// increase() and rate() see nothing in a series that begins at 1. So each series that an alert counts has to be there, as 0,
// before the first event. This reads the alerts, and the metrics of a service that nothing has happened to.
const service = await startService({
  environment: { ...LIVE_PROVIDERS, ...NHN_MESSAGING, MESSAGING: 'solapi,nhn' },
})

interface Rule {
  alert: string
  expr: string
}
const file = readFileSync(join(import.meta.dirname, '../../deploy/alerts.yml'), 'utf8')
const rules: Rule[] = parse(file).groups.flatMap(({ rules }: { rules: Rule[] }) => rules)

// The alerts of which one event more or less decides nothing, and a counter that has its own test.
const LEFT_OUT: Record<string, string> = {
  IngotRequestsFail: 'a share of all requests over minutes',
  IngotMessagesFail: 'a share of all messages over minutes',
  IngotProcessesRestart: 'the supervisor counts from 0: metrics-sum.test.ts',
}

// What a label can be, if the alert does not say.
const VALUES: Record<string, readonly string[]> = {
  metal: METALS,
  kind: GUESS_KINDS,
  provider: ['solapi', 'nhn'],
  channel: ['alimtalk', 'text', 'notice'],
}

type Labels = Record<string, string>
interface Counted {
  alert: string
  metric: string
  // By label: what the alert asks for.
  asked: Record<string, string[]>
}

const COUNTED = /\b(?:increase|rate|irate|delta|changes|resets)\(\s*(\w+)\s*(?:\{([^}]*)\})?\s*\[/g
const MATCHER = /^\s*(\w+)\s*(=~|=)\s*"([\w|]+)"\s*$/

function countedBy({ alert, expr }: Rule): Counted[] {
  return [...expr.matchAll(COUNTED)].map(([, metric, matchers = '']) => {
    const asked: Counted['asked'] = {}
    for (const matcher of matchers.split(',').filter((text) => text.trim() !== '')) {
      const [, label, , values] = MATCHER.exec(matcher) ?? []
      // Otherwise it is not known which series there will be.
      assert.ok(label && values, `${alert}: ${matcher} is not LABEL="a" or LABEL=~"a|b"`)
      asked[label] = values.split('|')
    }
    return { alert, metric: metric!, asked }
  })
}

function seriesOf(text: string, metric: string): { labels: Labels; value: number }[] {
  return [...text.matchAll(new RegExp(`^${metric}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))].map(
    ([, labels = '', value]) => ({
      labels: Object.fromEntries(
        [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, said]) => [key, said]),
      ),
      value: Number(value),
    }),
  )
}

function combinations(values: Record<string, readonly string[]>): Labels[] {
  return Object.entries(values).reduce<Labels[]>(
    (made, [label, all]) => made.flatMap((labels) => all.map((value) => ({ ...labels, [label]: value }))),
    [{}],
  )
}

test('each series that an alert counts is there from the start, as 0', async () => {
  const { text } = await call(`${service.url}/metrics`)
  const counted = rules.filter(({ alert }) => !(alert in LEFT_OUT)).flatMap(countedBy)
  assert.ok(counted.length >= 6, 'the alerts are understood')
  for (const { alert, metric, asked } of counted) {
    const found = seriesOf(text, metric)
    const [first] = found
    assert.ok(first, `${alert}: ${metric} has no series before the first event: see startAtZero()`)
    const values: Record<string, readonly string[]> = { ...asked }
    for (const label of Object.keys(first.labels)) {
      values[label] ??= VALUES[label]!
      assert.ok(values[label], `${alert}: say in VALUES what ${label} of ${metric} can be`)
    }
    for (const labels of combinations(values)) {
      const same = found.find((one) =>
        Object.entries(labels).every(([key, said]) => one.labels[key] === said),
      )
      assert.equal(same?.value, 0, `${alert}: ${metric} ${JSON.stringify(labels)}`)
    }
  }
})

test('what is left out is an alert that counts', () => {
  for (const left of Object.keys(LEFT_OUT)) {
    const rule = rules.find(({ alert }) => alert === left)
    assert.match(rule?.expr ?? '', /increase|rate/, left)
  }
})
