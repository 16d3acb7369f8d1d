import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#test/patience.ts'
import { temporaryFolder } from '#test/process.ts'
import type { Proof } from '../proof.ts'
import { type Installed, install, releaseAfter, runCommand } from '../releases.ts'
import { RollingService } from '../rolling-service.ts'
import { prove, type Trial } from '../trial.ts'

const BETWEEN = 40 // acknowledged acts, so that each step meets traffic
const MIGRATIONS_KILLED = 3
// Far below what two servers can do: a request that fails here fails because of the upgrade.
const PER_SECOND = 10
const MEMBERS = 3

export const upgrade: Proof = {
  what: 'two servers are upgraded from --from REF one by one, taken back, and upgraded again: no request fails',
  count: 1,
  takes: '`git`, `npm` and `tar`',
  takesFrom: true,
  lacks: () =>
    ['git', 'npm', 'tar']
      .find((program) => spawnSync(program, ['--version']).status !== 0)
      ?.concat(' is missing'),
  async run(given) {
    const work = temporaryFolder().path
    const old = install(given.from!, join(work, 'old'), given.say)
    const next = releaseAfter(old, join(work, 'next'))
    given.say(`from ${old.name} (schema ${old.schema}) to ${next.name} (schema ${next.schema})`)
    mkdirSync(join(work, 'scene'))
    const service = await RollingService.start(old, join(work, 'scene'), given.folder)
    const found: string[] = []
    const rollAll = async (trial: Trial) => {
      const roll = new Roll(service, trial, { old, next, found })
      await roll.migrate()
      for (const _ of trial.rounds(given)) await roll.once()
      // The judge asks through the newer release.
      service.release = next
      return roll.notes
    }
    const figures = await prove(service, given, rollAll, { perSecond: PER_SECOND, members: MEMBERS })
    const { failures, served } = service.proxy
    if (figures.unknown > 0) found.push(`${figures.unknown} requests got no answer that can be relied on`)
    return {
      ...figures,
      violations: [...found, ...failures.map((text) => `failed request: ${text}`), ...figures.violations],
      notes: [...(figures.notes ?? []), `${served} requests through the proxy, ${failures.length} failed`],
    }
  },
}

interface Releases {
  old: Installed
  next: Installed
  found: string[]
}

class Roll {
  readonly notes: string[] = []
  readonly #service: RollingService
  readonly #trial: Trial
  readonly #releases: Releases
  #canGoBack = true

  constructor(service: RollingService, trial: Trial, releases: Releases) {
    this.#service = service
    this.#trial = trial
    this.#releases = releases
  }

  // Under traffic of the old release, killed at chance moments and begun again.
  async migrate(): Promise<void> {
    const { next, found } = this.#releases
    for (let n = 0; n < MIGRATIONS_KILLED; n += 1) {
      const { child, done } = runCommand(next, this.#service.settings, ['migrate'])
      await sleep(300 + this.#trial.random.int(2_000))
      child.kill('SIGKILL')
      const { code } = await done
      await this.#step(code === null ? 'kill the migration' : 'the migration had ended')
    }
    const { code, stderr } = await runCommand(next, this.#service.settings, ['migrate']).done
    if (code !== 0) found.push(`migrate failed: ${stderr.trim()}`)
    await this.#step('the schema is the newer one, both servers are old')
  }

  // Each server to the newer release, the second one back and forth, and the first.
  async once(): Promise<void> {
    const { old, next } = this.#releases
    await this.#restart(0, next)
    await this.#verifyOld()
    await this.#goBack(0)
    await this.#restart(1, next)
    await this.#restart(0, next)
    await this.#goBack(1)
    await this.#restart(1, next)
    this.notes.splice(0, this.notes.length, this.#summary(old, next))
  }

  async #restart(i: number, release: Installed): Promise<void> {
    await this.#service.down(i)
    await this.#service.up(i, release)
    await this.#step(`server ${i} is ${release.name}`)
  }

  // The old release on the schema of the newer one.
  async #goBack(i: number): Promise<void> {
    if (!this.#canGoBack) return
    const { old, next, found } = this.#releases
    await this.#service.down(i)
    const refused = await this.#service.refusal(i, old)
    if (refused === undefined) return this.#step(`server ${i} is ${old.name} again`)
    this.#canGoBack = false
    if (old.isPromised) found.push(`${old.name} does not start on schema ${next.schema}: ${refused}`)
    await this.#service.up(i, next)
    await this.#step(`server ${i} was refused as ${old.name} and is ${next.name}`)
  }

  // It must not take the guards of the newer release for theft.
  async #verifyOld(): Promise<void> {
    const { old, found } = this.#releases
    if (!old.isPromised) return
    const { code, stdout, stderr } = await runCommand(old, this.#service.settings, ['verify', '--json']).done
    if (code !== 0) found.push(`verify of ${old.name} on the newer schema: ${(stdout || stderr).trim()}`)
    await this.#step(`verify of ${old.name}`)
  }

  // Counted, with traffic before the next one.
  async #step(what: string): Promise<void> {
    const { traffic } = this.#trial
    this.#trial.fault(what)
    const before = traffic.acknowledged
    await until(() => traffic.acknowledged > before + BETWEEN, 'acts are acknowledged')
  }

  #summary(old: Installed, next: Installed): string {
    const together = `${old.name} (schema ${old.schema}) and ${next.name} (schema ${next.schema}) served together`
    if (this.#canGoBack) return `${together}; ${old.name} was started again on the newer schema`
    const why = old.isPromised ? 'a migration in between does not allow it' : 'it is from before the promise'
    return `${together}; ${old.name} refuses to start on the newer schema: ${why}`
  }
}
