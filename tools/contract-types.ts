import type { Operation, Parameter, Schema } from '#test/openapi.ts'
import { type OpenApi, operationsOf, resolve } from '#test/openapi.ts'

// The types that a caller compiles against, printed from a document: an interface for each named schema, and what each operation
// takes and answers. Only what our documents are made of is known here.

export function generateTypes(
  document: OpenApi,
  { source, prefix = '', codes }: { source: string; prefix?: string; codes: readonly string[] },
): string {
  const named = Object.entries(document.components.schemas).map(([name, schema]) =>
    printNamed(name, printShape(schema, '')),
  )
  const operations = operationsOf(document).map(({ method, path, operation }) =>
    printOperation(document, method, path.slice(prefix.length), operation),
  )
  return `${[
    `// Made by \`npm run generate\` from ${source}. Do not edit.\n`,
    ...named,
    `// The \`code\` of a problem.\n${printNamed('ErrorCode', codes.map(literal).join(' | '))}`,
    `export interface Operations {\n${operations.join('')}}`,
  ].join('\n')}\n`
}

const LINE_WIDTH = 110 // as in biome.json

function printNamed(name: string, shape: string): string {
  if (shape.startsWith('{')) return `export interface ${name} ${shape}\n`
  const line = `export type ${name} = ${shape}`
  if (line.length <= LINE_WIDTH) return `${line}\n`
  return `export type ${name} =\n  | ${shape.split(' | ').join('\n  | ')}\n`
}

const PLACES = { path: 'params', query: 'query', header: 'headers' } as const

function printOperation(document: OpenApi, method: string, path: string, operation: Operation): string {
  const { operationId, summary, parameters = [], requestBody, responses } = operation
  const given = parameters.map((parameter) => resolve<Parameter>(document, parameter))
  const inputs = Object.entries(PLACES).flatMap(([place, name]) => {
    const here = given.filter((parameter) => parameter.in === place)
    return here.length > 0 ? `    ${name}: ${printParameters(here)}\n` : []
  })
  if (requestBody) inputs.push(`    body: ${print(Object.values(requestBody.content)[0]!.schema, '    ')}\n`)
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2'))!
  const answer = Object.values(success.content ?? {})[0]?.schema ?? { type: 'null' }
  return [
    `  // ${summary}.\n  ${operationId}: {\n`,
    `    method: '${method.toUpperCase()}'\n    url: '${path.replaceAll(/\{(\w+)\}/g, ':$1')}'\n`,
    ...inputs,
    `    answer: ${print(answer, '    ')}\n  }\n`,
  ].join('')
}

function printParameters(parameters: readonly Parameter[]): string {
  const described = parameters.map(({ name, schema, description }) => [
    name,
    description ? { ...schema, description } : schema,
  ])
  const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name)
  return printObject({ properties: Object.fromEntries(described), required }, '    ')
}

function print(schema: Schema, indent: string): string {
  return schema.$ref ? schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1) : printShape(schema, indent)
}

function printShape(schema: Schema, indent: string): string {
  if (schema.anyOf) return schema.anyOf.map((one) => print(one, indent)).join(' | ')
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  switch (schema.type) {
    case 'object':
      return printObject(schema, indent)
    case 'array': {
      const item = print(schema.items!, indent)
      return / \| /.test(item) ? `(${item})[]` : `${item}[]`
    }
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    default:
      throw new Error(`no type is known for ${JSON.stringify(schema)}: teach tools/contract-types.ts`)
  }
}

function printObject({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, property]) => {
    const comment = property.description ? `${inner}// ${property.description}\n` : ''
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    return `${comment}${inner}${key}${required.includes(name) ? '' : '?'}: ${print(property, inner)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
