import { type FormEvent, useId, useState } from 'react'
import type { ListDefinition, ListFilter } from '../../../../contract/console.gen.ts'
import { Button } from '../../../kit/button.tsx'
import { CloseIcon } from '../../../kit/icons.tsx'
import { useLanguage, useTexts } from '../../../kit/language.tsx'
import { EVENT_WORDS } from '../object/event-words.ts'
import type { Query } from './address.ts'

const TEXTS = {
  ko: {
    filters: '필터',
    edit: '필터 고르기',
    apply: '적용',
    clear: '모두 지우기',
    any: '전체',
    remove: (name: string) => `${name} 필터 지우기`,
    hints: {
      won: '50000, 10000..50000',
      days: '2026-11-01, 2026-11-01..',
      phone: '010-1234-5678',
      name: '전체 이름',
      partner: 'hanbit-pay',
      id: 'ID',
      text: '',
      choice: '',
    },
  },
  en: {
    filters: 'Filters',
    edit: 'Choose filters',
    apply: 'Apply',
    clear: 'Remove all',
    any: 'All',
    remove: (name: string) => `Remove the filter ${name}`,
    hints: {
      won: '50000, 10000..50000',
      days: '2026-11-01, 2026-11-01..',
      phone: '010-1234-5678',
      name: 'whole name',
      partner: 'hanbit-pay',
      id: 'id',
      text: '',
      choice: '',
    },
  },
}

interface Props {
  definition: ListDefinition
  partners: readonly string[]
  filters: Query
  onChange(query: Query): void
}

// What is filtered stands as chips; the fields behind the button change it. Every filter is text in the address.
export function FilterBar({ definition, partners, filters, onChange }: Props) {
  const texts = useTexts(TEXTS)
  const [isOpen, setOpen] = useState(false)
  const form = useId()
  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()])
    setOpen(false)
    // An empty field is no filter. In the address it would stand as a chip without a value.
    onChange(Object.fromEntries(given.filter(([, value]) => value !== '')))
  }
  return (
    <section aria-label={texts.filters} className="no-print flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          look="plain"
          size="small"
          aria-expanded={isOpen}
          aria-controls={form}
          onClick={() => setOpen(!isOpen)}
        >
          {texts.edit}
        </Button>
        {Object.entries(filters).map(([name, value]) => (
          <FilterChip
            key={name}
            definition={definition}
            name={name}
            value={value}
            filters={filters}
            onChange={onChange}
          />
        ))}
        {Object.keys(filters).length > 1 && (
          <button
            type="button"
            onClick={() => onChange({})}
            className="min-h-10 px-2 text-link hover:underline"
          >
            {texts.clear}
          </button>
        )}
      </div>
      <form
        id={form}
        hidden={!isOpen}
        onSubmit={apply}
        // The fields are uncontrolled. A new key fills them again after a chip or the Back button changed the filters.
        key={JSON.stringify(filters)}
        className="rounded-2xl bg-surface p-4"
      >
        <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
          {definition.filters.map((filter) => (
            <FilterField
              key={filter.name}
              filter={filter}
              partners={partners}
              value={filters[filter.name] ?? ''}
            />
          ))}
        </div>
        <div className="flex pt-4">
          <Button type="submit" size="small">
            {texts.apply}
          </Button>
        </div>
      </form>
    </section>
  )
}

function FilterChip({
  definition,
  name,
  value,
  filters,
  onChange,
}: Omit<Props, 'partners'> & { name: string; value: string }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const filter = definition.filters.find((one) => one.name === name)
  const title = filter?.names[language] ?? name
  const { [name]: _, ...rest } = filters
  // An address may name several values of one filter, with commas.
  // The definition does not list the actions of the audit log, so their words come from this build.
  const shown = value
    .split(',')
    .map(
      (one) =>
        filter?.choices.find((choice) => choice.value === one)?.names[language] ??
        (name === 'action' ? (EVENT_WORDS[language][one] ?? one) : one),
    )
  return (
    <span className="inline-flex min-h-10 max-w-full items-center rounded-xl bg-tint ps-3 text-[0.9375rem]">
      <span className="truncate">
        <span className="text-sub">{title}</span>{' '}
        <strong className="font-semibold">{shown.join(', ')}</strong>
      </span>
      <button
        type="button"
        aria-label={texts.remove(title)}
        onClick={() => onChange(rest)}
        className="flex size-10 shrink-0 items-center justify-center rounded-xl text-sub hover:text-ink"
      >
        <CloseIcon className="size-4" />
      </button>
    </span>
  )
}

// 16 px on a phone: its browser zooms into fields with smaller text.
const INPUT =
  'min-h-10 w-full min-w-0 rounded-xl border border-line bg-surface px-3 text-ink placeholder:text-faint max-sm:text-base'

function FilterField({
  filter,
  partners,
  value,
}: {
  filter: ListFilter
  partners: readonly string[]
  value: string
}) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const id = useId()
  const { name, kind, names, choices } = filter
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm text-sub">
        {names[language]}
      </label>
      {kind === 'choice' ? (
        <select id={id} name={name} defaultValue={value} className={INPUT}>
          <option value="">{texts.any}</option>
          {/* Several at once come from an address, and stay. */}
          {value.includes(',') && <option value={value}>{value}</option>}
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.names[language]}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          name={name}
          defaultValue={value}
          placeholder={texts.hints[kind]}
          list={kind === 'partner' ? `${id}-partners` : name === 'action' ? `${id}-actions` : undefined}
          autoComplete="off"
          spellCheck={false}
          className={INPUT}
        />
      )}
      {name === 'action' && (
        <datalist id={`${id}-actions`}>
          {Object.entries(EVENT_WORDS[language]).map(([action, words]) => (
            <option key={action} value={action}>
              {words}
            </option>
          ))}
        </datalist>
      )}
      {kind === 'partner' && (
        <datalist id={`${id}-partners`}>
          {partners.map((code) => (
            <option key={code} value={code} />
          ))}
        </datalist>
      )}
    </div>
  )
}
