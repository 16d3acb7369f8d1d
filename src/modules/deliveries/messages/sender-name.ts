import { eucKrBytes, eucKrWidth } from './bytes.ts'
import type { MessageLanguage } from './types.ts'

export const SENDER_NAME_BYTES = 40
const NAMELESS = { ko: '제휴사', en: 'A partner of ours' } as const satisfies Record<MessageLanguage, string>
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/

// Whether every message can carry this name as the giver's. Other control characters than these cannot be encoded.
export function isSenderName(name: string): boolean {
  const bytes = eucKrBytes(name)
  if (bytes === undefined || bytes > SENDER_NAME_BYTES) return false
  return name.trim() !== '' && !CONTROL.test(name) && !name.includes('#{')
}

// For a partner that chose none: as much of its own name as can be sent.
export function senderNameFrom(partnerName: string, language: MessageLanguage): string {
  // Composed first: Hangul that was taken apart, as some systems write it, cannot be encoded.
  const sendable = [...partnerName.normalize('NFC').replace(/\s+/g, ' ')]
    .filter((character) => eucKrWidth(character) !== undefined && !CONTROL.test(character))
    .join('')
    .replace(/#+(?=\{)/g, '')
    .replace(/ +/g, ' ')
    .trim()
  return cutToBytes(sendable, SENDER_NAME_BYTES).trimEnd() || NAMELESS[language]
}

function cutToBytes(text: string, most: number): string {
  let bytes = 0
  let cut = ''
  for (const character of text) {
    bytes += eucKrWidth(character) ?? 0
    if (bytes > most) break
    cut += character
  }
  return cut
}
