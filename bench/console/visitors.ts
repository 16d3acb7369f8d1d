import { setTimeout as sleep } from 'node:timers/promises'
import type { DeskSamples } from './desk.ts'
import { asker, type Desk } from './questions.ts'

interface Visitors {
  begin(): { end(): Promise<void> }
}

const PEOPLE = 10
const THINKING_MS = 1_000 // the average pause between two clicks
const POLLING_MS = 3_000 // as the overview asks again by itself
const SCRIPTS = 2

// One click is what a page asks for when it opens.
function clicksOn({ partnerCode }: Desk, samples: DeskSamples): string[][] {
  const list = (name: string, filters = '') => [
    `/lists/${name}?${filters}`,
    `/lists/${name}/figure?${filters}`,
  ]
  return [
    list('cards'),
    list('cards', `partner=${partnerCode}&status=used`),
    list('deliveries', 'status=failed'),
    list('members'),
    ...samples.cards.slice(0, 4).map(({ id }) => [`/cards/${id}`]),
    ...samples.members.slice(0, 4).map((id) => [`/members/${id}`]),
  ]
}

// Each does its steps one after the other until the end.
function visiting(each: readonly ((isOver: () => boolean) => Promise<void>)[]): Visitors {
  return {
    begin() {
      let isOver = false
      const all = Promise.all(each.map((work) => work(() => isOver)))
      return {
        async end() {
          isOver = true
          await all
        },
      }
    },
  }
}

// Ten people at ten desks: they read what they opened before they click again, and their overviews are open in another tab.
export function peopleAt(desk: Desk, samples: DeskSamples): Visitors {
  const clicks = clicksOn(desk, samples).map((paths) => paths.map((path) => asker(desk, [path])))
  const poll = asker(desk, ['/overview'])
  const clicking = (person: number) => async (isOver: () => boolean) => {
    for (let at = person; ; at += 1) {
      await sleep(Math.random() * 2 * THINKING_MS)
      if (isOver()) return
      await Promise.all(clicks[at % clicks.length]!.map((ask) => ask()))
    }
  }
  const polling = async (isOver: () => boolean) => {
    for (await sleep(Math.random() * POLLING_MS); !isOver(); await sleep(POLLING_MS)) await poll()
  }
  return visiting(Array.from({ length: PEOPLE }, (_, person) => [clicking(person), polling]).flat())
}

// No person does this: a session may ask 20 times a second, and these change the session with every request.
export function scriptsAt(desk: Desk, samples: DeskSamples): Visitors {
  const paths = [...clicksOn(desk, samples).flat(), '/overview']
  const asking = async (isOver: () => boolean) => {
    const ask = asker(desk, paths)
    while (!isOver()) await ask()
  }
  return visiting(Array.from({ length: SCRIPTS }, () => asking))
}
