// What is stored must come back as it was told: no halves of characters, which UTF-8 cannot hold, and no control
// characters, which nobody's name, key or reason has.
export function isCleanText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f]/.test(text)
}

// Line breaks, signs that reorder what is shown, and whatever cannot be seen; but for the joiners that some scripts and
// emoji are written with.
const HIDDEN =
  /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|(?!\u200c|\u200d|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/u
const STACKED = /\p{M}{4}/u
// What phones turn into something to tap on.
const ADDRESS =
  /:\/\/|\bwww\.|[\p{L}\p{N}]\.(?:com|net|org|info|biz|kr|cn|jp|io|ly|gg|xyz|top|shop|site|link|click)(?![\p{L}\p{N}.-])/iu
const READABLE = /[\p{L}\p{N}]/u

// A name that others are shown: of a person, a partner, a sender.
export function isShownName(text: string): boolean {
  return READABLE.test(text) && !HIDDEN.test(text) && !STACKED.test(text) && !ADDRESS.test(text)
}
