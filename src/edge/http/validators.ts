import { createRequire } from 'node:module'
import type { BuildCompilerFromPool } from '@fastify/ajv-compiler'
import type { FastifySchemaCompiler } from 'fastify'

type Route = Parameters<FastifySchemaCompiler<HeaderSchema>>[0]
type HeaderSchema = { properties?: Record<string, object>; required?: readonly string[] }

interface Validator {
  (data: unknown): unknown
  errors?: unknown
}

// Fastify wants a validator at once, so an `import()` is no way to load Ajv late.
const require = createRequire(import.meta.url)

const loadCompiler = (): typeof import('@fastify/ajv-compiler') => require('@fastify/ajv-compiler')

// Makes one, which loads the formats too.
export function loadAjv(): void {
  loadCompiler().AjvCompiler()({}, { customOptions: {} })
}

// A validator is compiled when its route is first called, and Ajv is loaded with the first of them, or after the start. All at
// once they were a fifth of the time that the server takes to start.
export const buildValidator: BuildCompilerFromPool = (externalSchemas, options) => {
  let compile: ((route: Route) => Validator) | undefined
  const load = () => {
    return loadCompiler().AjvCompiler()(externalSchemas, options) as unknown as (route: Route) => Validator
  }
  const compilerOf = (route: Route) => {
    let validator: Validator | undefined
    const validate: Validator = (data) => {
      compile ??= load()
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
