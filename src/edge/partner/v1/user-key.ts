import type { FastifyReply, FastifyRequest } from 'fastify'
import { isCleanText } from '#base/text/text.ts'
import { badField } from '#edge/http/errors.ts'
import { storedKey } from '#modules/partners/rules.ts'

// Hash and asset calls accept two spellings of each name; the schema knows one.
const OTHER_SPELLINGS = { partner: 'source', source: 'partner', partnerKey: 'userKey' } as const

export function acceptOtherSpellings(...wanted: (keyof typeof OTHER_SPELLINGS)[]) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const fields = (request.method === 'POST' ? request.body : request.query) as Record<string, unknown>
    const differing = wanted.find((name) => {
      const other = fields[OTHER_SPELLINGS[name]]
      // Filled in before validation, so that the schema needs to know one spelling only.
      if (other !== undefined && fields[name] === undefined) fields[name] = other
      return other !== undefined && fields[name] !== other
    })
    const detail = `must not differ from ${differing}`
    done(differing && badField(request, OTHER_SPELLINGS[differing], detail).amongOthers())
  }
}

// The user key as it is stored. Text that no key can contain is refused here: it would fail the rest of its batch.
export function userKeyOf(request: FastifyRequest, partnerKey: string): string {
  if (!isCleanText(partnerKey)) throw badField(request, 'partnerKey', 'must be plain text')
  return storedKey(request.caller!.partner.keyFormat, partnerKey)
}
