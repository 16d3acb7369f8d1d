import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageFile } from './files.ts'

const YEAR_SECONDS = 31_536_000
const DAY_SECONDS = 86_400

// Sends the file in an encoding that the browser accepts. Files that are named by their content are cached for a
// year.
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  const age = file.lasting ? `max-age=${YEAR_SECONDS}, immutable` : `max-age=${DAY_SECONDS}`
  // With `vary` a cache in between hands no compressed bytes to a browser that cannot read them.
  reply
    .type(file.type)
    .header('cache-control', `public, ${age}`)
    .header('vary', 'accept-encoding')
    .header('cross-origin-resource-policy', 'same-origin')
  const wanted = request.headers['accept-encoding']
  const encoding =
    file.br && takes(wanted, 'br') ? 'br' : file.gzip && takes(wanted, 'gzip') ? 'gzip' : undefined
  if (encoding === undefined) return reply.send(file.plain)
  return reply.header('content-encoding', encoding).send(file[encoding])
}

function takes(accepted: string | string[] | undefined, encoding: string): boolean {
  return String(accepted ?? '')
    .split(',')
    .some((part) => {
      const [name, weight] = part.split(';').map((word) => word.trim())
      return name === encoding && !/^q=0(?:\.0*)?$/.test(weight ?? '')
    })
}
