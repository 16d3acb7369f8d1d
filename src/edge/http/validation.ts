import type { FastifyServerOptions } from 'fastify'
import { NAME } from '#edge/http/named-schemas.ts'
import { LOWERCASE } from '#edge/http/uuid.ts'

type CustomOptions = NonNullable<NonNullable<FastifyServerOptions['ajv']>['customOptions']>

// Ajv never converts types, fills in defaults or removes fields.
export const VALIDATION: CustomOptions = {
  // The text `"5000"` as an amount is refused rather than converted.
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  // The caller learns all mistakes in one answer, not one by one.
  allErrors: true,
  // The rules for schemas are themselves a schema, which each process would compile. test/api/schemas.test.ts holds every
  // schema against them.
  validateSchema: false,
  keywords: [
    // For the document only: validation ignores it.
    NAME,
    {
      keyword: LOWERCASE,
      type: 'string',
      schemaType: 'boolean',
      modifying: true,
      errors: false,
      validate(
        _on: boolean,
        text: string,
        _schema?: unknown,
        at?: { parentData: object; parentDataProperty: string | number },
      ) {
        if (at) Object.assign(at.parentData, { [at.parentDataProperty]: text.toLowerCase() })
        return true
      },
    },
  ],
}
