import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { test } from 'node:test'
import { AjvCompiler } from '@fastify/ajv-compiler'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { buildSerializer, loadCompiler } from '#edge/http/serializers.ts'
import { buildValidator } from '#edge/http/validators.ts'
import { freePort } from '#test/process.ts'
import { startService } from '#test/service.ts'

// A schema is compiled when its route is first called. Here all of them are, so that a broken one does not wait for its
// first caller.

type Controller = NonNullable<FastifyServerOptions['schemaController']>
type Factories = Required<NonNullable<Controller['compilersFactory']>>

interface Schema {
  part: string
  name: string
  compile(): unknown
}

const schemas: Schema[] = []

const compilersFactory: Factories = {
  buildValidator: ((others: unknown, options: { customOptions: object }) => {
    const make = buildValidator(others as never, options as never)
    // The service takes its schemas for valid, and only here they are held against the rules for schemas.
    const customOptions = { ...options.customOptions, validateSchema: true }
    const check = AjvCompiler()(others as never, { ...options, customOptions } as never)
    return (route: { method: string; url: string; httpPart?: string }) => {
      const validate = make(route as never) as (data: unknown) => unknown
      const part = route.httpPart ?? ''
      // Never throws for what it validates.
      const compile = () => [check(route as never), validate({})]
      schemas.push({ part, name: `${route.method} ${route.url} ${part}`, compile })
      return validate
    }
  }) as unknown as Factories['buildValidator'],
  buildSerializer(others, options) {
    const make = buildSerializer(others, options as never)
    // Ours would compile with the first answer, and an answer that does not fit throws too.
    const compile = loadCompiler().SerializerSelector()(others as never, options as never)
    return (route) => {
      const name = `${route.method} ${route.url} ${route.httpStatus}`
      schemas.push({ part: 'response', name, compile: () => compile(route as never) })
      return make(route as never) as never
    }
  },
}

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.setSchemaController({ compilersFactory })
})
await startService({ environment: { METRICS_ADDRESS: `127.0.0.1:${await freePort()}` } })

const outcomeOf = ({ name, compile }: Schema) => {
  try {
    compile()
    return []
  } catch (error) {
    return [`${name}: ${(error as Error).message}`]
  }
}

test('every schema of every route can be compiled', () => {
  const parts = Map.groupBy(schemas, ({ part }) => part)
  assert.deepEqual([...parts.keys()].sort(), ['body', 'headers', 'params', 'querystring', 'response'])
  assert.ok(schemas.some(({ name }) => name === 'POST /v2/partner/metal/giftcard/buy body'))
  assert.deepEqual(schemas.flatMap(outcomeOf), [])
})

test('a broken schema is found', () => {
  const { buildValidator, buildSerializer } = compilersFactory
  const schema = { type: 'object', properties: { amount: { type: 'strnig' } } }
  const route = { schema, method: 'GET', url: '/broken' }
  schemas.length = 0
  buildValidator({}, { customOptions: {} } as never)({ ...route, httpPart: 'body' } as never)
  buildSerializer({}, {} as never)({ ...route, httpStatus: '200' } as never)
  assert.deepEqual(
    schemas.flatMap(outcomeOf).map((found) => found.replace(/:.*/s, '')),
    ['GET /broken body', 'GET /broken 200'],
  )
})
