import { type Command, table, text, UsageError } from '#app/command.ts'
import { setMessageTemplate } from '#flows/set-message-template.ts'
import { TEMPLATES } from '#modules/deliveries/messages/templates.ts'
import { MESSAGE_LANGUAGES, MESSAGE_PURPOSES } from '#modules/deliveries/messages/types.ts'
import { listTemplateUses } from '#modules/deliveries/template-ids.ts'

export const templateList: Command = {
  usage: 'template list',
  summary: 'show the messaging-app templates to register with Kakao, and the ids they were given',
  positionals: [],
  options: {},
  async run({ runtime }) {
    const ids = await listTemplateUses(runtime.database.db)
    const templates = TEMPLATES.map(({ name, purpose, language, text: words, variables }) => ({
      name,
      purpose,
      language,
      text: words,
      variables,
    }))
    const shown = templates.map(({ name, text: words }) => `── ${name}\n${words}\n`)
    const rows = ids.map((id) => [id.partner ?? '(all)', id.provider, id.purpose, id.language, id.templateId])
    const inUse =
      rows.length > 0 ? table(['partner', 'provider', 'purpose', 'language', 'id'], rows) : 'no ids are set'
    return { json: { templates, ids }, text: [...shown, inUse].join('\n') }
  },
}

export const templateSet: Command = {
  usage: 'template set PROVIDER PURPOSE LANGUAGE ID [--partner CODE]',
  summary: "tell what a provider calls an approved template; '' takes it away",
  positionals: ['provider', 'purpose', 'language', 'id'],
  options: { partner: { type: 'string' } },
  async run({ runtime, args, options, actor }) {
    const provider = oneOf('PROVIDER', args.provider!, ['solapi', 'nhn'] as const)
    const purpose = oneOf('PURPOSE', args.purpose!, MESSAGE_PURPOSES)
    const language = oneOf('LANGUAGE', args.language!, MESSAGE_LANGUAGES)
    const partner = text(options, 'partner') ?? null
    const templateId = args.id || null
    await setMessageTemplate(runtime.database, { provider, purpose, language, partner, templateId, actor })
    return {
      json: { partner, provider, purpose, language, templateId },
      text: `${provider} ${purpose} ${language} for ${partner ?? 'all partners'}: ${templateId ?? 'none'}`,
    }
  },
}

function oneOf<Name extends string>(what: string, given: string, names: readonly Name[]): Name {
  const name = names.find((candidate) => candidate === given)
  if (name === undefined) throw new UsageError(`${what} is one of ${names.join(', ')}`)
  return name
}
