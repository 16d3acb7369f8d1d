import { ANSWER_NAME, NAME } from '#edge/http/named-schemas.ts'

export const LICENSE = { name: 'Apache 2.0', identifier: 'Apache-2.0' }

type Fields = Record<string, unknown>
interface Parameter {
  name: string
}
interface Answer {
  content?: Record<string, Fields>
}
interface Operation extends Fields {
  parameters?: Parameter[]
  responses: Record<string, Answer>
}
interface Written extends Fields {
  components: Fields
  paths: Record<string, Record<string, Operation>>
}

// The framework writes every schema and every answer out where it is used. Here each moves to the components, under the
// name that its declaration gives it, and a reference takes its place. So does a parameter of several operations.
export function withComponents(written: object): object {
  const { openapi, info, servers, tags, security, components, paths } = written as Written
  const schemas = new Components('schemas')
  const responses = new Components('responses')
  const parameters = new Components('parameters')
  const named = mapObjects(paths, ({ [NAME]: name, ...schema }) =>
    typeof name === 'string' ? schemas.refer(name, schema) : schema,
  ) as Written['paths']
  const isShared = sharedParameters(named)
  const operations = mapValues(named, (methods) =>
    mapValues(methods, (operation) => ({
      ...operation,
      ...(operation.parameters && {
        parameters: operation.parameters.map((one) =>
          isShared(one) ? parameters.refer(one.name, one) : one,
        ),
      }),
      responses: mapValues(operation.responses, (answer) => referToAnswer(answer, responses)),
    })),
  )
  return {
    ...{ openapi, info, servers, tags, security, paths: operations },
    components: {
      securitySchemes: components.securitySchemes,
      ...{ parameters: parameters.sorted(), responses: responses.sorted(), schemas: schemas.sorted() },
    },
  }
}

// Keeps each part once, under its name, and hands out references to it.
class Components {
  readonly kind: string
  readonly #byName = new Map<string, unknown>()

  constructor(kind: string) {
    this.kind = kind
  }

  refer(name: string, value: unknown): { $ref: string } {
    // A name is part of the contract, so a clash stops the generation instead of choosing one schema.
    const known = this.#byName.get(name)
    const isOther = known !== undefined && JSON.stringify(known) !== JSON.stringify(value)
    if (isOther) throw new Error(`two different ${this.kind} are named ${name}`)
    this.#byName.set(name, value)
    return { $ref: `#/components/${this.kind}/${name}` }
  }

  sorted(): Fields {
    // By name, so that the order of routes does not change the components.
    return Object.fromEntries([...this.#byName].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}

// An answer without a name stays written out where it is used.
function referToAnswer(answer: Answer, responses: Components): object {
  const [type, first = {}] = Object.entries(answer.content ?? {})[0] ?? []
  const { [ANSWER_NAME]: name, ...media } = first
  if (!type || typeof name !== 'string') return answer
  return responses.refer(name, { ...answer, content: { ...answer.content, [type]: media } })
}

// Those that more than one operation has, if the name means the same everywhere: a filter `status` differs from list to list.
function sharedParameters(paths: Written['paths']): (parameter: Parameter) => boolean {
  const counts = new Map<string, number>()
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  for (const parameter of operations.flatMap((operation) => operation.parameters ?? [])) {
    const text = JSON.stringify(parameter)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const shared = [...counts].filter(([, count]) => count > 1).map(([text]) => text)
  const nameOf = (text: string) => (JSON.parse(text) as Parameter).name
  const once = new Set(
    shared.filter((text) => shared.every((other) => other === text || nameOf(other) !== nameOf(text))),
  )
  return (parameter) => once.has(JSON.stringify(parameter))
}

function mapValues<Value, Other>(record: Record<string, Value>, change: (value: Value) => Other) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}

// Every object in it, from the inside out.
function mapObjects(value: unknown, change: (one: Fields) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => mapObjects(one, change))
  if (value === null || typeof value !== 'object') return value
  // An inner schema is a reference already when the outer one is kept. So components refer to each other.
  return change(mapValues(value as Fields, (part) => mapObjects(part, change)))
}
