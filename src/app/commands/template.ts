import { type Command, table, text } from '#app/command.ts'
import { noPartner } from '#app/commands/partner-words.ts'
import { orRefuse } from '#app/refused.ts'
import type { Config } from '#app/settings/config.ts'
import { UsageError } from '#app/usage-error.ts'
import { setMessageTemplate, type TemplateRefusal } from '#flows/deliveries/set-message-template.ts'
import { TEMPLATES, type Template, templatesOf } from '#modules/deliveries/messages/templates.ts'
import { MESSAGE_LANGUAGES, MESSAGE_PURPOSES } from '#modules/deliveries/messages/types.ts'
import { listTemplateUses, listUnregistered, type Unregistered } from '#modules/deliveries/template-ids.ts'

const PROVIDERS = ['solapi', 'nhn'] as const

export const templateList: Command = {
  usage: 'template list',
  summary: 'show the messaging-app templates, their ids, and those still to register with Kakao',
  positionals: [],
  options: {},
  async run({ runtime }) {
    const { database, config } = runtime
    const ids = await listTemplateUses(database.db)
    const unregistered = await listUnregistered(database.db, providersOf(config, ids))
    const templates = TEMPLATES.map(({ name, purpose, language, version, text: words, variables }) => ({
      name,
      purpose,
      language,
      version,
      text: words,
      variables,
    }))
    const toRegister = unregistered.map(({ provider, template, sends }) => ({
      provider,
      name: template.name,
      purpose: template.purpose,
      language: template.language,
      version: template.version,
      sends,
    }))
    const shown = TEMPLATES.filter(isNewest).map(
      ({ name, text: words, variables }) => `── ${name}\n${words}\n── variables: ${variables.join(', ')}\n`,
    )
    return {
      json: { templates, ids, toRegister },
      text: [...shown, idTable(ids), '', toRegisterTable(unregistered)].join('\n'),
    }
  },
}

function isNewest({ purpose, language, version }: Template): boolean {
  return templatesOf(purpose, language)[0]!.version === version
}

// The providers that messages go to, and those that ids were set for. A sandbox may have neither.
function providersOf({ messaging }: Config, ids: readonly { provider: string }[]): string[] {
  const used = PROVIDERS.filter(
    (name) => messaging.providers.includes(name) || ids.some(({ provider }) => provider === name),
  )
  return used.length > 0 ? used : [...PROVIDERS]
}

function idTable(ids: Awaited<ReturnType<typeof listTemplateUses>>): string {
  if (ids.length === 0) return 'no ids are set'
  const rows = ids.map((id) => [
    id.partner ?? '(all)',
    id.provider,
    id.purpose,
    id.language,
    String(id.version),
    id.templateId,
  ])
  return table(['partner', 'provider', 'purpose', 'language', 'version', 'id'], rows)
}

function toRegisterTable(unregistered: readonly Unregistered[]): string {
  if (unregistered.length === 0) return 'every text is registered in its newest version'
  const rows = unregistered.map(({ provider, template, sends }) => [
    provider,
    template.name,
    sends === null ? 'nothing' : `version ${sends}`,
  ])
  return `still to register:\n${table(['provider', 'template', 'sent until then'], rows)}`
}

export const templateSet: Command = {
  usage:
    'template set PROVIDER PURPOSE LANGUAGE ID [--version N] [--partner CODE]\n' +
    'Without --version it is the newest version, without --partner the id for all partners.',
  summary: "record a provider's id of an approved template; '' removes it",
  positionals: ['provider', 'purpose', 'language', 'id'],
  options: { partner: { type: 'string' }, version: { type: 'string' } },
  async run({ runtime, args, options, actor }) {
    const provider = oneOf('PROVIDER', args.provider!, PROVIDERS)
    const purpose = oneOf('PURPOSE', args.purpose!, MESSAGE_PURPOSES)
    const language = oneOf('LANGUAGE', args.language!, MESSAGE_LANGUAGES)
    const versions = templatesOf(purpose, language).map(({ version }) => String(version))
    // Kakao approves each text as it is, so an id belongs to one version.
    const version = Number(oneOf('--version', text(options, 'version') ?? versions[0]!, versions))
    const partner = text(options, 'partner') ?? null
    // An empty id removes the registration, as for a template that Kakao has withdrawn.
    const templateId = args.id || null
    const use = { provider, purpose, language, version, partner, templateId }
    orRefuse(await setMessageTemplate(runtime.database, { ...use, actor }), templateWords)
    return {
      json: use,
      text: `${provider} ${purpose} ${language} version ${version} for ${partner ?? 'all partners'}: ${templateId ?? 'none'}`,
    }
  },
}

export function templateWords(refusal: TemplateRefusal): string {
  switch (refusal.reason) {
    case 'template_id_invalid':
      return 'a template id has 1 to 100 letters, digits, dots, colons, hyphens or underscores'
    case 'template_id_taken': {
      const { purpose, language, version } = refusal.other
      return `${refusal.templateId} is the id of ${purpose} ${language} version ${version}: each text is registered on its own`
    }
    case 'partner_not_found':
      return noPartner(refusal)
  }
}

function oneOf<Name extends string>(what: string, given: string, names: readonly Name[]): Name {
  const name = names.find((candidate) => candidate === given)
  if (name === undefined) throw new UsageError(`${what} is one of ${names.join(', ')}`)
  return name
}
