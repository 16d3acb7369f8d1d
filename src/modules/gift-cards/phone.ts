import { parsePhoneNumber } from 'libphonenumber-js/mobile'

// A Korean mobile number as people write it (hyphens, spaces, +82), in E.164; undefined for anything else.
// The shape is checked first because the library would also read extensions and letters into a number.
const SHAPE = /^(?:0|\+82)[0-9 -]{8,20}$/

export function normalizeMobile(text: string): string | undefined {
  if (!SHAPE.test(text)) return undefined
  try {
    const phone = parsePhoneNumber(text, 'KR')
    return phone.countryCallingCode === '82' && phone.isValid() ? phone.number : undefined
  } catch {
    return undefined
  }
}

// 010-****-5678: enough for an operator to recognise, not enough to call.
export function maskMobile(e164: string): string {
  const national = `0${e164.replace(/^\+82/, '')}`
  return `${national.slice(0, 3)}-****-${national.slice(-4)}`
}
