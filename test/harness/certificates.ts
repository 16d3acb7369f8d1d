import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'

// Certificates for tests. Node makes keys and signatures, and nobody's openssl is needed for the few bytes around them.
export interface Certificate {
  // PEM.
  certificate: string
  key: string
}

interface Authority extends Certificate {
  name: string
  signWith: KeyObject
}

const SEQUENCE = 0x30
const SET = 0x31
const ECDSA_WITH_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const COMMON_NAME = oid(0x55, 0x04, 0x03)
const BASIC_CONSTRAINTS = oid(0x55, 0x1d, 0x13)
const ALTERNATIVE_NAMES = oid(0x55, 0x1d, 0x11)
const TRUE = der(0x01, Buffer.of(0xff))

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

function sequence(...contents: Buffer[]): Buffer {
  return der(SEQUENCE, ...contents)
}

function oid(...bytes: number[]): Buffer {
  return der(0x06, Buffer.from(bytes))
}

const text = (value: string) => der(0x0c, Buffer.from(value))
const named = (name: string) => sequence(der(SET, sequence(COMMON_NAME, text(name))))
const time = (value: string) => der(0x18, Buffer.from(value))
const extension = (id: Buffer, value: Buffer, ...critical: Buffer[]) =>
  sequence(id, ...critical, der(0x04, value))

function alternativeName(name: string): Buffer {
  if (isIP(name) === 4) return der(0x87, Buffer.from(name.split('.').map(Number)))
  return der(0x82, Buffer.from(name))
}

function issue(name: string, by: { name: string; key: KeyObject } | undefined, extensions: Buffer[]) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))), // version 3
    der(0x02, Buffer.of(1), randomBytes(8)),
    ECDSA_WITH_SHA256,
    named(by?.name ?? name),
    sequence(time('20200101000000Z'), time('21200101000000Z')),
    named(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', body, by?.key ?? privateKey)
  const whole = sequence(body, ECDSA_WITH_SHA256, der(0x03, Buffer.of(0), signature))
  const lines = whole
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    signWith: privateKey,
  }
}

export function makeAuthority(name: string): Authority {
  return { name, ...issue(name, undefined, [extension(BASIC_CONSTRAINTS, sequence(TRUE), TRUE)]) }
}

// For a server: its host names and addresses. For a client: none, and the account as its name.
export function makeCertificate(by: Authority, name: string, hosts: readonly string[]): Certificate {
  const names = extension(ALTERNATIVE_NAMES, sequence(...hosts.map(alternativeName)))
  return issue(
    name,
    { name: by.name, key: by.signWith },
    hosts.length > 0 ? [names] : [extension(BASIC_CONSTRAINTS, sequence())],
  )
}
