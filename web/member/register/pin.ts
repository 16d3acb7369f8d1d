// What is printed on a card: 15 characters of Crockford's alphabet and one that checks them, as the service makes them
// (src/modules/gift-cards/pin.ts; a test holds the two together). Here it finds a typo at once.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const PIN_LENGTH = 16
const GROUP = 4
// Makes the field of 32 elements. The service uses the same polynomial.
const X5_PLUS_X2_PLUS_1 = 0b100101

// What was typed or pasted, as the card has it: without hyphens, in capitals, O read as 0, I and L as 1. What cannot be
// part of a PIN falls away.
export function cleanPin(typed: string): string {
  const read = typed.normalize('NFKC').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
  return [...read]
    .filter((character) => ALPHABET.includes(character))
    .join('')
    .slice(0, PIN_LENGTH)
}

// A messenger copies the whole message. Of all that looks like a PIN in it, the one with a right check character is it.
const LIKE_A_PIN = /(?<![0-9A-Za-z])[0-9A-Za-z]{4}(?:[-\s]?[0-9A-Za-z]{4}){3}(?![0-9A-Za-z])/g

export function findPin(text: string): string | undefined {
  // Messengers replace hyphens by other dashes.
  const found = text.normalize('NFKC').replace(/[‐-―]/g, '-').matchAll(LIKE_A_PIN)
  return [...found].map(([match]) => cleanPin(match)).find(isPinPlausible)
}

export function groupPin(pin: string): string {
  return pin.replace(new RegExp(`.{${GROUP}}(?=.)`, 'g'), '$&-')
}

// What an edit of the grouped text makes of the PIN, and where the caret belongs. It stays behind its character, and goes
// past a hyphen, where the next character will be. Deleting a hyphen deletes what is on the other side of it.
export function readEdit(
  shown: string,
  caretAt: number,
  was: string,
  inputType: string | undefined,
): { pin: string; caret: number } {
  let before = cleanPin(shown.slice(0, caretAt))
  let after = cleanPin(shown.slice(caretAt))
  const onlyHyphen = before + after === was && shown.length < groupPin(was).length
  if (onlyHyphen && inputType === 'deleteContentBackward') before = before.slice(0, -1)
  if (onlyHyphen && inputType === 'deleteContentForward') after = after.slice(1)
  // Cuts off what is beyond the sixteenth character.
  const pin = cleanPin(before + after)
  const kept = before.slice(0, PIN_LENGTH)
  const pastHyphen = kept.length > 0 && kept.length % GROUP === 0 && kept.length < pin.length
  return { pin, caret: groupPin(kept).length + (pastHyphen ? 1 : 0) }
}

// The sum of all characters, each times its own weight in the field of 32 elements, is nothing in a PIN without slips.
export function isPinPlausible(pin: string): boolean {
  if (pin.length !== PIN_LENGTH) return false
  const values = [...pin].map((character) => ALPHABET.indexOf(character))
  const check = values.pop()
  return values.reduce((sum, value, i) => sum ^ times(value, i + 1), 0) === check
}

// Multiplies an element of the field by x, as often as `power` says.
function times(element: number, power: number): number {
  let product = element
  for (let i = 0; i < power; i += 1) {
    product <<= 1
    if (product & 32) product ^= X5_PLUS_X2_PLUS_1
  }
  return product
}
