// Stored text must come back unchanged: no halves of characters, which UTF-8 cannot hold, and no control characters,
// which no name, key or reason needs.
export function isCleanText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f]/.test(text)
}

// Line breaks, signs that reorder text, and invisible characters. Exceptions: the joiners that some scripts and emoji
// need, and the selectors of a Hanja's form.
const HIDDEN =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?!\u200c|\u200d|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])[\p{Cf}\p{Default_Ignorable_Code_Point}]/u
// A Burmese syllable has up to seven.
const STACKED = /\p{M}{8}/u
const READABLE = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u

// Text that is meant as a web address.
const EXPLICIT_ADDRESS = /:\/\/|\bwww\.|[\p{L}\p{N}]\.[a-z]{2,}(?::\d+)?\//iu
// What phones turn into something to tap on. Endings are too many to list, so any two words that only a full stop joins
// count as an address: companies can write theirs with a blank. A single Latin letter before it is an initial.
const BARE_ADDRESS =
  /(?:[\p{L}\p{N}\p{M}-]{2}|(?!\p{Script=Latin})\p{L})\.(?:[a-z]{2,}|한국|닷컴|닷넷)(?![a-z\d])|\d(?:\.\d+){3}/iu

// The name of a partner or a sender: strangers are shown it as the one who writes to them.
export function isShownName(text: string): boolean {
  if (!READABLE.test(text) || HIDDEN.test(text) || STACKED.test(text)) return false
  const seen = asPhonesRead(text)
  return !EXPLICIT_ADDRESS.test(seen) && !BARE_ADDRESS.test(seen)
}

const MISLEADING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
const VISIBLE = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{P}\p{S}\p{Co}]/u

// A person's name as a partner gives it. No person is refused for the spelling of a name, such as `St.John` or a
// Hanja that only one system has: only pages and operators show it.
export function isPersonName(text: string): boolean {
  return VISIBLE.test(text) && !MISLEADING.test(text) && !EXPLICIT_ADDRESS.test(asPhonesRead(text))
}

// Without what cannot be seen, wide letters as plain ones, and the full stops of other scripts as ours.
function asPhonesRead(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll('。', '.')
}
