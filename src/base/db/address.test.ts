import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { ConnectionOptions } from 'node:tls'
import { temporaryFolder } from '#test/process.ts'
import { BadAddress, isLocal, isShortName, nameOfHost, parseAddress, parseOptions } from './address.ts'

const places = (text: string) => parseAddress(text).hosts.map(nameOfHost).join(' ')

test('hosts and ports, as libpq reads them', () => {
  const cases: [address: string, hosts: string][] = [
    ['postgresql://u:p@h1:5433/db', 'h1:5433'],
    ['postgres://h1', 'h1:5432'],
    ['postgresql://u:p@h1:1,h2:2,h3/db?target_session_attrs=read-write', 'h1:1 h2:2 h3:5432'],
    ['postgresql://u@[::1]:5433,[2001:db8::2],10.0.0.1/db', '[::1]:5433 [2001:db8::2]:5432 10.0.0.1:5432'],
    ['postgresql:///db', 'localhost:5432'],
    ['postgresql:///db?host=/run/postgresql&port=5433', '/run/postgresql:5433'],
    ['postgresql://%2Frun%2Fpostgresql/db', '/run/postgresql:5432'],
    ['postgresql:///db?host=a,b,c&port=1', 'a:1 b:1 c:1'],
    ['postgresql:///db?host=a,b&port=1,2', 'a:1 b:2'],
  ]
  for (const [address, hosts] of cases) assert.equal(places(address), hosts, address)
})

test('who connects, to which database, and as what', () => {
  const { user, password, database, session, writable } = parseAddress(
    'postgresql://me%40x:p%2F%3A@h1,h2/the%20books?options=-c%20search_path%3Dapp',
  )
  assert.deepEqual(
    [user, password, database, session, writable],
    ['me@x', 'p/:', 'the books', { search_path: 'app' }, true],
  )
  assert.equal(parseAddress('postgresql://h1/db').writable, false)
  assert.equal(parseAddress('postgresql://h1/db?target_session_attrs=primary').writable, true)
  assert.equal(parseAddress('postgresql:///db?user=me&password=x').user, 'me')
  // Only %20 is a blank. A second = belongs to the value.
  assert.equal(parseAddress('postgresql:///db?password=a+b%2Bc%20d==').password, 'a+b+c d==')
  assert.deepEqual(parseOptions('-c a.b=1 --work-mem=12MB -cx=y\\ z'), {
    'a.b': '1',
    work_mem: '12MB',
    x: 'y z',
  })
})

const folder = temporaryFolder()
after(() => folder.remove())
const pem = join(folder.path, 'it.pem')
const key = join(folder.path, 'key.pem')
const text = join(folder.path, 'text')
writeFileSync(pem, '-----BEGIN CERTIFICATE-----\n')
writeFileSync(key, '-----BEGIN PRIVATE KEY-----\n', { mode: 0o600 })
writeFileSync(text, 'no certificate')

test('what is refused says why, and never quotes the address', () => {
  const cases: [address: string, why: RegExp][] = [
    ['mysql://u:canary@h/db', /is not postgresql:\/\//],
    ['host=h user=u password=canary', /is not postgresql:\/\//],
    ['postgresql://u:cana/ry@h/db', /is not postgresql:\/\/.*%2F/],
    ['postgresql://u:canary%@h/db', /write it as %25/],
    ['postgresql://h/db?password=canary%', /write it as %25/],
    ['postgresql://u:canary@h:0/db', /port that is not from 1 to 65535/],
    ['postgresql://u:canary@h:x/db', /port that is not from 1 to 65535/],
    ['postgresql://u:canary@::1/db', /in brackets/],
    ['postgresql://u:canary@h/db?host=i', /names hosts twice/],
    ['postgresql:///db?host=a,b,c&port=1,2', /2 ports for 3 hosts/],
    ['postgresql://a,b/db?target_session_attrs=any', /has to be read-write/],
    ['postgresql://a/db?target_session_attrs=standby', /has to be read-write/],
    ['postgresql://a/db?user=u&colour=red', /a parameter \(number 2\)/],
    ['postgresql://u:p?canary=x@a/db', /%3F/],
    ['postgresql://a/db?user=a&user=b', /the parameter user twice/],
    ['postgresql://a/db?options=-e', /-c NAME=VALUE/],
    ['postgresql://a/db?ssl=true', /say sslmode=/],
    ['postgresql://a/db?channel_binding=require', /sslmode=verify-full/],
    ['postgresql://a/db?sslmode=prefer', /may end up without TLS/],
    ['postgresql://a/db?sslmode=allow', /may end up without TLS/],
    ['postgresql://a/db?sslmode=no-verify', /say require/],
    ['postgresql://a/db?sslmode=strict', /not one of disable, require/],
    ['postgresql://a/db?sslmode=verify-ca', /verify-ca without sslrootcert/],
    ['postgresql://a/db?sslmode=require&sslrootcert=system', /Say sslmode=verify-full/],
    [`postgresql://a/db?sslrootcert=${pem}`, /sslrootcert without sslmode/],
    ['postgresql://a/db?sslmode=verify-full&sslrootcert=/nowhere', /cannot be read \(ENOENT\): \/nowhere/],
    [`postgresql://a/db?sslmode=verify-full&sslrootcert=${text}`, /not a PEM file/],
    [`postgresql://a/db?sslmode=require&sslcert=${pem}`, /needs both/],
    ['postgresql:///db?host=/run&sslmode=require', /on a Unix socket/],
    ['postgresql://a/db?sslnegotiation=direct', /direct without TLS/],
  ]
  for (const [address, why] of cases) {
    assert.throws(
      () => parseAddress(address),
      (error) => error instanceof BadAddress && why.test(error.message) && !error.message.includes('cana'),
      address,
    )
  }
})

test('each sslmode checks what libpq checks', () => {
  const options = (query: string) => parseAddress(`postgresql://a/db?${query}`).tls?.options()
  assert.equal(options(''), undefined)
  assert.equal(options('sslmode=disable'), false)
  assert.deepEqual(options('sslmode=require'), { rejectUnauthorized: false })
  assert.deepEqual(options('sslmode=verify-full'), { rejectUnauthorized: true })
  assert.deepEqual(options('sslmode=verify-full&sslrootcert=system'), { rejectUnauthorized: true })
  for (const mode of ['require', 'verify-ca']) {
    const checked = options(`sslmode=${mode}&sslrootcert=${pem}`) as ConnectionOptions
    assert.ok(checked.rejectUnauthorized && checked.checkServerIdentity, mode)
  }
})

test('a key that others can read is refused, and a renewed certificate is taken up', () => {
  const tls = parseAddress(`postgresql://a/db?sslmode=require&sslcert=${pem}&sslkey=${key}`).tls!
  const read = () => (tls.options() as ConnectionOptions).cert
  writeFileSync(pem, '-----BEGIN CERTIFICATE-----\nrenewed\n')
  assert.match(String(read()), /renewed/)
  writeFileSync(pem, '')
  assert.match(String(read()), /renewed/, 'while it is being replaced')
  writeFileSync(pem, '-----BEGIN CERTIFICATE-----\n')
  chmodSync(key, 0o644)
  assert.throws(
    () => parseAddress(`postgresql://a/db?sslmode=require&sslcert=${pem}&sslkey=${key}`),
    /others can read/,
  )
})

test('which hosts are this machine', () => {
  const local = ['localhost', '127.0.0.1', '127.9.9.9', '::1', '/run/postgresql']
  for (const host of local) assert.ok(isLocal({ host, port: 1 }), host)
  for (const host of ['db', '10.0.0.1', '::2', 'localhost.example'])
    assert.ok(!isLocal({ host, port: 1 }), host)
  assert.ok(isShortName({ host: 'postgres', port: 1 }))
  for (const host of ['db.example', '10.0.0.1', '::2', '/run/postgresql'])
    assert.ok(!isShortName({ host, port: 1 }), host)
})
