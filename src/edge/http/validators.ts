import { createRequire } from 'node:module'
import type { BuildCompilerFromPool } from '@fastify/ajv-compiler'
import type { FastifySchemaCompiler } from 'fastify'
import { VALIDATION } from '#edge/http/validation.ts'

type Route = Parameters<FastifySchemaCompiler<HeaderSchema>>[0]
type HeaderSchema = { properties?: Record<string, object>; required?: readonly string[] }

interface Validator {
  (data: unknown): unknown
  errors?: unknown
}

// Fastify wants a validator at once, so an `import()` is no way to load Ajv late.
const require = createRequire(import.meta.url)

type Compile = (route: Route) => Validator
type Build = Parameters<BuildCompilerFromPool>

function buildCompiler(...build: Build): Compile {
  const { AjvCompiler }: typeof import('@fastify/ajv-compiler') = require('@fastify/ajv-compiler')
  return AjvCompiler()(...build) as unknown as Compile
}

// Every server of this process validates by the same rules. So a schema is compiled once, however many of them there are.
let shared: Compile | undefined
const byShape = new Map<string, Validator>()

const compileShared: Compile = (route) => {
  shared ??= buildCompiler({}, { customOptions: VALIDATION })
  const shape = JSON.stringify([route.httpPart, route.schema])
  const known = byShape.get(shape) ?? shared(route)
  byShape.set(shape, known)
  return known
}

// With a first schema, because Ajv then compiles the rules for schemas themselves.
export function loadAjv(): void {
  compileShared({ method: 'GET', url: '/', httpPart: 'querystring', schema: {} })
}

// A validator is compiled when its route is first called, and Ajv is loaded with the first of them, or after the start. All at
// once they were a fifth of the time that the server takes to start.
export const buildValidator: BuildCompilerFromPool = (externalSchemas, options) => {
  // What a $ref to a schema of its own means is not in the text.
  const hasOthers = Object.keys((externalSchemas as object | undefined) ?? {}).length > 0
  let compile: Compile | undefined
  const compilerOf = (route: Route) => {
    let validator: Validator | undefined
    const validate: Validator = (data) => {
      compile ??= hasOthers ? buildCompiler(externalSchemas, options) : compileShared
      validator ??= compile(route.httpPart === 'headers' ? lowerCased(route) : route)
      const holds = validator(data)
      // Fastify reads the errors from the function that it was given, which is this one.
      validate.errors = validator.errors
      return holds
    }
    return validate
  }
  return compilerOf as unknown as ReturnType<BuildCompilerFromPool>
}

// Node gives headers in small letters; the document names them as people do. Fastify does this for its own compiler only.
function lowerCased(route: Route): Route {
  const { properties = {}, required = [] } = route.schema
  const named = Object.entries(properties).map(([name, schema]) => [name.toLowerCase(), schema])
  return {
    ...route,
    schema: {
      ...route.schema,
      properties: Object.fromEntries(named),
      required: required.map((name) => name.toLowerCase()),
    },
  }
}
