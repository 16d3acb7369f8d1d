import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { parseCommand } from '#app/command.ts'
import { describeOne, NAMES } from '#app/command-table.ts'

// The alerts, their runbooks and the dashboard belong together. Prometheus' own tool judges the rules where it is installed.
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: Record<string, string>
}
const rules: Rule[] = parse(read('deploy/alerts.yml')).groups.flatMap(({ rules }: { rules: Rule[] }) => rules)
const pages = readdirSync(join(ROOT, 'docs/runbooks')).filter((name) => name !== 'README.md')

test('each alert has a runbook, and each runbook an alert', () => {
  assert.ok(rules.length > 20)
  for (const { alert, labels, annotations } of rules) {
    assert.equal(annotations.runbook, `docs/runbooks/${alert}.md`)
    assert.match(labels.severity, /^(?:page|ticket)$/)
    assert.ok(annotations.summary && annotations.description, alert)
  }
  assert.deepEqual(pages.toSorted(), rules.map(({ alert }) => `${alert}.md`).toSorted())
  const index = read('docs/runbooks/README.md')
  for (const { alert, labels } of rules)
    assert.ok(index.includes(`| [${alert}](${alert}.md) | ${labels.severity} |`), `${alert} in the index`)
})

test('a runbook says what it means, who notices, where to look and what to do', () => {
  for (const page of pages) {
    const text = read(`docs/runbooks/${page}`)
    assert.ok(text.startsWith(`# ${page.replace('.md', '')}\n\n**Means.** `), page)
    for (const part of ['**Who notices.** ', '## Look\n', '## Mend\n'])
      assert.ok(text.includes(part), `${page}: ${part}`)
  }
})

// What the usage has outside of brackets. Each alternative, separated by a bar, has its own.
function requiredOptions(usage: string): string[][] {
  const [synopsis = ''] = usage.split(/\n(?! )/)
  const required = synopsis.replace(/\[[^\]]*\]/g, '')
  return required.split(' | ').map((words) => words.match(/(?<=--)[a-z][a-z-]*/g) ?? [])
}

// Why the command would refuse these words; undefined if it would run.
async function refusalOf(words: string): Promise<string | undefined> {
  const isNamed = (name: string) => words === name || words.startsWith(`${name} `)
  const name = NAMES.filter(isNamed).toSorted((a, b) => b.length - a.length)[0]
  if (name === undefined) return 'there is no such command'
  const command = { positionals: [], options: {}, ...(await describeOne(name)) }
  const given = words.slice(name.length).split(' ').filter(Boolean)
  try {
    const { options } = parseCommand(command, given)
    const isWhole = requiredOptions(command.usage).some((names) => names.every((one) => one in options))
    return isWhole ? undefined : `it needs more: ${command.usage}`
  } catch (error) {
    return (error as Error).message
  }
}

test('each command in a runbook is one that would run as it is written', async () => {
  for (const page of pages) {
    for (const [, words] of read(`docs/runbooks/${page}`).matchAll(/`ingot ([^`]+)`/g))
      assert.equal(await refusalOf(words!), undefined, `${page}: ingot ${words}`)
  }
  for (const wrong of ['partner pay CODE WON', 'partner pay --reference X', 'verify --all', 'parner list'])
    assert.ok(await refusalOf(wrong), wrong)
  for (const right of ['card show ID', 'card show --pin PIN', 'statement close CODE --month MONTH'])
    assert.equal(await refusalOf(right), undefined, right)
})

interface Panel {
  title: string
  type: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string }[]
}
const dashboard: { panels: Panel[]; templating: { list: { name: string }[] } } = JSON.parse(
  read('deploy/grafana/ingot.json'),
)
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

test('the dashboard: no panel over another, each with a question', () => {
  const taken = new Set<string>()
  for (const { title, type, gridPos, targets = [] } of dashboard.panels) {
    assert.ok(type === 'row' || targets.length > 0, title)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        assert.ok(x < 24 && !taken.has(`${x} ${y}`), `${title} at ${x}, ${y}`)
        taken.add(`${x} ${y}`)
      }
    }
  }
  for (const query of queries) assert.match(query, /instance=~"\$instance"/)
})

test('each alert has a case in which it fires, and one in which it does not yet', () => {
  interface Case {
    alertname: string
    exp_alerts: object[]
  }
  const cases: Case[] = parse(read('deploy/alerts-test.yml')).tests.flatMap(
    (one: { alert_rule_test: Case[] }) => one.alert_rule_test,
  )
  const having = (fires: boolean) =>
    new Set(cases.filter((one) => one.exp_alerts.length > 0 === fires).map(({ alertname }) => alertname))
  const names = rules.map(({ alert }) => alert).toSorted()
  for (const fires of [true, false]) assert.deepEqual([...having(fires)].toSorted(), names, `fires: ${fires}`)
})

const missing = spawnSync('promtool', ['--version']).status === 0 ? false : 'promtool is not installed'

test('Prometheus understands the alerts and the questions, and the alerts fire when they should', {
  skip: missing,
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'ingot-rules-'))
  try {
    const asked = queries.map((query, i) => ({
      record: `asked:${i}`,
      expr: query.replaceAll('$instance', '.*'),
    }))
    writeFileSync(join(folder, 'asked.yml'), JSON.stringify({ groups: [{ name: 'asked', rules: asked }] }))
    const check = (...words: string[]) => {
      const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8' })
      assert.equal(status, 0, `${stdout}${stderr}`)
    }
    check('check', 'rules', join(ROOT, 'deploy/alerts.yml'), join(folder, 'asked.yml'))
    check('test', 'rules', join(ROOT, 'deploy/alerts-test.yml'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
