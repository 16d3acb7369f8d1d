import type pg from 'pg'
import type { BenchPartner } from './partners.ts'
import { loadPeople } from './people.ts'
import { getting, posting, signingUp, type Target } from './requests.ts'
import type { Measurement } from './rounds.ts'

const PEOPLE = 100_000 // so many that reading them all would show
const LOOKED_UP = 20_000
const WITH_HASH_KEYS = 500

export interface Users {
  signups: Measurement
  hashKeys: Measurement
  assets: Measurement
}

export async function prepareUsers(
  connection: pg.ClientConfig,
  target: Target,
  partner: BenchPartner,
): Promise<Users> {
  const { code, key } = partner
  const users = await loadPeople(connection, { partnerCode: code, count: PEOPLE, wanted: LOOKED_UP })
  return {
    signups: signingUp('signups, 64 connections', target, { connections: 64, partner }),
    hashKeys: posting('hash keys, 64 connections', target, {
      connections: 64,
      key,
      path: '/v1/partners/user/hash',
      bodies: users
        .slice(0, WITH_HASH_KEYS)
        .map((partnerKey) => JSON.stringify({ partner: code, partnerKey })),
    }),
    assets: getting('asset lookups, 64 connections', target, {
      connections: 64,
      key,
      paths: users.map((user) => `/v1/partners/user/asset/gross?source=${code}&partnerKey=${user}`),
    }),
  }
}
