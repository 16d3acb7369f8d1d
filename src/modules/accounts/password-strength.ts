import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { hangulAsTyped } from '#base/text/hangul.ts'
import { isCleanText } from '#base/text/text.ts'
import { KOREAN_WORDS } from './korean-words.ts'

const MIN_LENGTH = 10
const MAX_LENGTH = 128
// We answer ten wrong log-ins an hour. A thief of the hashes computes some forty a second on a core: 10^9 take one
// core nine months. Ten random characters are estimated at 10^10.
const MIN_GUESSES = 1e9
// The estimate takes time that grows faster than the length; what is strong in its first part is strong.
const ESTIMATED = 24

interface Owner {
  loginId: string
  name?: string
  // YYYYMMDD
  birthday?: string
  mdn?: string
}

// Whether a password would be among the first to be tried on this person. Signs and capitals are not asked for.
export async function isWeakPassword(password: string, owner: Owner): Promise<boolean> {
  const letters = [...password]
  if (letters.length < MIN_LENGTH || letters.length > MAX_LENGTH || !isCleanText(password)) return true
  const estimator = await loadEstimator()
  const looked = letters.slice(0, ESTIMATED).join('').normalize('NFC')
  const { guesses } = estimator.check(looked, wordsAbout(owner))
  return guesses < MIN_GUESSES
}

const SERVICE_WORDS = ['ingot', 'gold', 'silver', 'giftcard', 'point', 'bullion']

// The words that an attacker who knows the person or the site tries first.
function wordsAbout({ loginId, name = '', birthday = '', mdn = '' }: Owner): string[] {
  const dates = birthday && [birthday, birthday.slice(2), birthday.slice(4), birthday.slice(0, 4)]
  const numbers = mdn && [mdn, mdn.slice(3), mdn.slice(3, 7), mdn.slice(-4)]
  const names = name && [name, hangulAsTyped(name), name.slice(1), hangulAsTyped(name.slice(1))]
  return [loginId, ...names, ...dates, ...numbers, ...SERVICE_WORDS].filter((word) => word !== '')
}

export function loadPasswordWords() {
  return Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')])
}

let loaded: Promise<ZxcvbnFactory> | undefined

// Made for the first password that is set: most processes never see one, and the ranked words take some megabytes.
function loadEstimator(): Promise<ZxcvbnFactory> {
  // A failed load is tried again with the next password.
  loaded ??= makeEstimator().catch((error) => {
    loaded = undefined
    throw error
  })
  return loaded
}

async function makeEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await loadPasswordWords()
  const korean = KOREAN_WORDS.flatMap((word) => [word, hangulAsTyped(word).toLowerCase()])
  const { qwerty, keypad } = adjacencyGraphs
  return new ZxcvbnFactory({
    dictionary: { ...dictionary, korean },
    graphs: { qwerty, keypad },
    l33tMaxSubstitutions: 20,
  })
}
