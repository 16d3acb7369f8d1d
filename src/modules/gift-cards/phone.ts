import { parsePhoneNumber } from 'libphonenumber-js/mobile'

// The shape is checked first because the library would also read extensions and letters into a number.
const SHAPE = /^(?:0|\+82)[0-9 -]{8,20}$/
// Nearly every number there is. Asking the library would be a sixth of what a purchase costs this process; a
// test holds this to the library's answer for every block of numbers.
const USUAL = /^010-?((?:[0-46-9]\d|5[0-8])\d\d)-?(\d{4})$/

// A Korean mobile number as people write it (hyphens, spaces, +82), in E.164; undefined for anything else.
export function normalizeMobile(text: string): string | undefined {
  const usual = USUAL.exec(text)
  if (usual) return `+8210${usual[1]}${usual[2]}`
  return SHAPE.test(text) ? askLibrary(text) : undefined
}

export function askLibrary(text: string): string | undefined {
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
