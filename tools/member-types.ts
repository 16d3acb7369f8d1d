import { ERRORS } from '#edge/http/errors.ts'
import { MEMBER_ROUTES } from '#edge/member/routes.ts'

// The pages' types, printed from the schemas that validate. Only what those schemas are made of is known here.

interface Schema {
  $id?: string
  type?: string
  description?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
}

interface Route {
  method: string
  url: string
  schema: {
    operationId: string
    summary: string
    body?: Schema
    params?: Schema
    querystring?: Schema
    response: Record<string, Schema & { content?: Record<string, { schema: Schema }> }>
  }
}

const HEADER = '// Made by `npm run generate` from the schemas of src/edge/member. Do not edit.\n'

export function generateMemberTypes(): string {
  const named = new Map<string, string>()
  const operations = Object.values(MEMBER_ROUTES as unknown as Record<string, Route>).map((route) =>
    printOperation(route, named),
  )
  const types = [...named].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  const codes = Object.keys(ERRORS).map((code) => `\n  | '${code}'`)
  types.push(`// The \`code\` of a problem.\nexport type ErrorCode =${codes.join('')}\n`)
  return `${[HEADER, ...types, `export interface Operations {\n${operations.join('')}}`].join('\n')}\n`
}

function printOperation({ method, url, schema }: Route, named: Map<string, string>): string {
  const input = (['params', 'querystring', 'body'] as const).flatMap((part) => {
    const name = part === 'querystring' ? 'query' : part
    return schema[part] ? `    ${name}: ${print(schema[part], named, '    ')}\n` : []
  })
  const [, success] = Object.entries(schema.response).find(([status]) => status.startsWith('2'))!
  const answer = success.content ? Object.values(success.content)[0]!.schema : success
  return [
    `  // ${schema.summary}.\n  ${schema.operationId}: {\n`,
    `    method: '${method}'\n    url: '${url}'\n`,
    ...input,
    `    answer: ${print(answer, named, '    ')}\n  }\n`,
  ].join('')
}

// What a schema with a name of its own is printed as: the name, and the type once.
function print(schema: Schema, named: Map<string, string>, indent: string): string {
  if (!schema.$id) return printShape(schema, named, indent)
  if (!named.has(schema.$id)) {
    named.set(schema.$id, '')
    const shape = printShape(schema, named, '')
    named.set(
      schema.$id,
      shape.startsWith('{')
        ? `export interface ${schema.$id} ${shape}\n`
        : `export type ${schema.$id} = ${shape}\n`,
    )
  }
  return schema.$id
}

function printShape(schema: Schema, named: Map<string, string>, indent: string): string {
  if (schema.anyOf) return schema.anyOf.map((one) => print(one, named, indent)).join(' | ')
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  switch (schema.type) {
    case 'object':
      return printObject(schema, named, indent)
    case 'array': {
      const item = print(schema.items!, named, indent)
      return / \| /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
    }
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    default:
      throw new Error(`member.gen.ts knows no type ${schema.type}: teach tools/member-types.ts`)
  }
}

function printObject(schema: Schema, named: Map<string, string>, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const comment = property.description ? `${inner}// ${property.description}\n` : ''
    const optional = schema.required?.includes(name) ? '' : '?'
    return `${comment}${inner}${name}${optional}: ${print(property, named, inner)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
