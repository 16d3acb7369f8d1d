// What is stored must come back as it was told: no halves of characters, which UTF-8 cannot hold, and no control
// characters, which nobody's name, key or reason has.
export function isCleanText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f]/.test(text)
}
