import { assert } from '#base/assert.ts'

// Positions in the write-ahead log, and the names of its segments: timeline, then number.

const POSITION = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/
const SEGMENT = /^[0-9A-F]{24}$/

export function parseLsn(text: string): bigint {
  const match = POSITION.exec(text)
  assert(match, 'PostgreSQL writes a position as two hexadecimal numbers')
  return (BigInt(`0x${match[1]}`) << 32n) | BigInt(`0x${match[2]}`)
}

export function formatLsn(lsn: bigint): string {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase()
}

export function isSegmentName(name: string): boolean {
  return SEGMENT.test(name)
}

export function segmentName(timeline: number, number: bigint, segmentBytes: bigint): string {
  const perId = 0x1_0000_0000n / segmentBytes
  const parts = [BigInt(timeline), number / perId, number % perId]
  return parts
    .map((part) => part.toString(16).padStart(8, '0'))
    .join('')
    .toUpperCase()
}

export function segmentNumber(name: string, segmentBytes: bigint): bigint {
  assert(isSegmentName(name), 'the name of a segment')
  const perId = 0x1_0000_0000n / segmentBytes
  return BigInt(`0x${name.slice(8, 16)}`) * perId + BigInt(`0x${name.slice(16)}`)
}

/** The names of the segments that hold the log from one position up to another, the end not included. */
export function segmentsBetween(timeline: number, from: bigint, to: bigint, segmentBytes: bigint): string[] {
  assert(from < to, 'a part of the log is not empty')
  const names: string[] = []
  for (let number = from / segmentBytes; number <= (to - 1n) / segmentBytes; number += 1n) {
    names.push(segmentName(timeline, number, segmentBytes))
  }
  return names
}
