import { createRequire } from 'node:module'

// The shape is checked first because the library would also read extensions and letters into a number.
const SHAPE = /^(?:0|\+82)[0-9 -]{8,20}$/
// Nearly every number has this shape and is read without the library. The library's table of assigned blocks lags behind
// the carriers, and asking it would take a sixth of this process's time for a purchase.
const USUAL = /^010-?(\d{4})-?(\d{4})$/
const ALSO_USUAL = /^(?:0|\+820?)10(\d*)$/

// A Korean mobile number as people write it (hyphens, spaces, +82), in E.164; undefined for anything else.
export function normalizeMobile(text: string): string | undefined {
  const usual = USUAL.exec(text)
  if (usual) return `+8210${usual[1]}${usual[2]}`
  if (!SHAPE.test(text)) return undefined
  const spaced = ALSO_USUAL.exec(text.replace(/[ -]/g, ''))
  if (!spaced) return askLibrary(text)
  // The library's table also has shorter ones. A number that lost a digit would send the PIN to a stranger.
  return spaced[1]!.length === 8 ? `+8210${spaced[1]}` : undefined
}

const require = createRequire(import.meta.url)

type Library = typeof import('libphonenumber-js/mobile')

export const loadPhoneLibrary = (): Library => require('libphonenumber-js/mobile')

// Older prefixes. They are rare and the library is large, so a start does not wait for it.
function askLibrary(text: string): string | undefined {
  const { parsePhoneNumber } = loadPhoneLibrary()
  try {
    const phone = parsePhoneNumber(text, 'KR')
    return phone.countryCallingCode === '82' && phone.isValid() ? phone.number : undefined
  } catch {
    return undefined
  }
}

// 01012345678: the digits as people dial them.
export function nationalMobile(e164: string): string {
  return `0${e164.replace(/^\+82/, '')}`
}

// 010-****-5678: enough for an operator to recognise, not enough to call.
export function maskMobile(e164: string): string {
  const national = nationalMobile(e164)
  return `${national.slice(0, 3)}-****-${national.slice(-4)}`
}
