import assert from 'node:assert/strict'
import type { CommandRun } from '#test/commands.ts'
import { Browser, logIn, newPerson, signUp, verify } from '#test/member.ts'
import { ANSWER_MS, Client, type Member, PARTNER } from './client.ts'
import { runIngot, type Service } from './service.ts'

// A partner with a key, and members who are signed in. Made before the first fault, as part of the scene.
export async function openClient(
  service: Service,
  memberCount: number,
  alsoRefused: readonly string[] = [],
): Promise<Client> {
  await done(runIngot(service, 'partner', 'add', PARTNER, '--name', 'Prover', '--rate-limit', '0'))
  const { key } = JSON.parse(await done(runIngot(service, 'key', 'issue', PARTNER, '--json')))
  const members: Member[] = []
  for (let i = 0; i < memberCount; i += 1) members.push(await addMember(service.urls[0]!, i))
  return new Client(service, key, members, alsoRefused)
}

async function addMember(url: string, i: number): Promise<Member> {
  const browser = new Browser(url)
  const person = newPerson()
  const loginId = `prover${i}`
  const answer = await signUp(browser, await verify(browser, 'sign_up', person), loginId)
  assert.equal(answer.status, 200, answer.text)
  browser.timeoutMs = ANSWER_MS
  return { browser, person, loginId }
}

// A restore has ended every session and the trust in every browser, so each member verifies identity once more.
export async function logInAgain({ service, members }: Client): Promise<void> {
  for (const { browser, loginId, person } of members) {
    browser.url = service.urls[0]!
    const { status, text } = await logIn(browser, loginId)
    assert.equal(status, 200, text)
    await verify(browser, 'step_up', person)
  }
}

async function done(run: Promise<CommandRun>): Promise<string> {
  const { code, stdout, stderr } = await run
  assert.equal(code, 0, stderr || stdout)
  return stdout
}
