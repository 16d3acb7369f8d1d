// The keys that Korean is typed with on the usual (two-set) keyboard.
const INITIALS = [
  'r',
  'R',
  's',
  'e',
  'E',
  'f',
  'a',
  'q',
  'Q',
  't',
  'T',
  'd',
  'w',
  'W',
  'c',
  'z',
  'x',
  'v',
  'g',
]
const VOWELS = [
  ...['k', 'o', 'i', 'O', 'j', 'p', 'u', 'P', 'h', 'hk', 'ho'],
  ...['hl', 'y', 'n', 'nj', 'np', 'nl', 'b', 'm', 'ml', 'l'],
]
const FINALS = [
  ...['', 'r', 'R', 'rt', 's', 'sw', 'sg', 'e', 'f', 'fr', 'fa', 'fq', 'ft', 'fx'],
  ...['fv', 'fg', 'a', 'q', 'qt', 't', 'T', 'd', 'w', 'c', 'z', 'x', 'v', 'g'],
]
const FIRST_SYLLABLE = 0xac00
const LAST_SYLLABLE = 0xd7a3

// 비밀번호 → qlalfqjsgh. Anything that is no Hangul syllable stays as it is.
export function hangulAsTyped(text: string): string {
  return [...text.normalize('NFC')].map(syllableAsTyped).join('')
}

function syllableAsTyped(character: string): string {
  const code = character.codePointAt(0)!
  if (code < FIRST_SYLLABLE || code > LAST_SYLLABLE) return character
  const place = code - FIRST_SYLLABLE
  const perInitial = VOWELS.length * FINALS.length
  const vowel = Math.floor((place % perInitial) / FINALS.length)
  return INITIALS[Math.floor(place / perInitial)]! + VOWELS[vowel]! + FINALS[place % FINALS.length]!
}
