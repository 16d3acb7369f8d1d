import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { HitKind, Lists, SearchAnswer } from '../../../../contract/console.gen.ts'
import { type Language, useLanguage, useTexts } from '../../../kit/language.tsx'
import { callApi } from '../api/call-api.ts'
import { refusalOf } from '../api/refusal.ts'
import { sayRefusal } from '../api/refusal-texts.ts'
import { PAGES_PATH } from '../environment.ts'
import { LISTS } from '../list/list-data.ts'
import { EVENT_WORDS } from '../object/event-words.ts'
import { suggestionsFor } from './suggestions.ts'

const TEXTS = {
  ko: {
    label: '찾을 것',
    placeholder: '상품권 번호, ID, 전화번호, 제휴사 코드, status:used …',
    results: '결과',
    list: (name: string, query: string) => `${name} 목록에서 보기: ${query}`,
    none: '찾지 못했습니다. 번호를 확인하거나 status:used처럼 필터를 써 보세요.',
    enter: 'Enter를 누르면 이름과 전화번호로도 찾습니다. 이 검색은 감사 기록에 남습니다.',
    request: (days: number) =>
      `이 요청은 기록에 없습니다. 변경하거나 거절·실패한 요청만 ${days}일 동안 기록합니다. 서버 로그에는 남아 있을 수 있으니 이 ID로 찾아 주세요.`,
    kinds: {
      card: '상품권',
      member: '회원',
      user: '제휴사 사용자',
      partner: '제휴사',
      order: '주문',
      withdrawal: '출금',
      approval: '승인 요청',
      staff: '담당자',
      request: 'API 요청',
    } satisfies Record<HitKind, string>,
  },
  en: {
    label: 'What to find',
    placeholder: 'Card number, id, phone, partner code, status:used …',
    results: 'Results',
    list: (name: string, query: string) => `Show in the list of ${name.toLowerCase()}: ${query}`,
    none: 'Nothing was found. Check the number, or use filters such as status:used.',
    enter: 'Enter also looks for a name or a phone number. That search is recorded.',
    request: (days: number) =>
      `This request is not recorded. Only requests that change something, are refused or fail are, for ${days} days. The log of the server may have it under this id.`,
    kinds: {
      card: 'Card',
      member: 'Member',
      user: 'Partner user',
      partner: 'Partner',
      order: 'Order',
      withdrawal: 'Withdrawal',
      approval: 'Approval',
      staff: 'Staff',
      request: 'API request',
    } satisfies Record<HitKind, string>,
  },
}

interface Choice {
  key: string
  label: ReactNode
  choose(): void
}

const PAUSE_MS = 200 // of typing

// Ids and filters are looked up while somebody types. People only on Enter, because each such search is recorded.
export function Palette({ onDone }: { onDone(): void }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const id = useId()
  const [text, setText] = useState('')
  const [entered, setEntered] = useState('')
  // With -1 no choice is active, and Enter runs the search.
  const [active, setActive] = useState(-1)
  // Another letter makes it a different question, which Enter has not asked yet.
  const isEntered = entered !== '' && entered === text
  const answer = useSearch(text, isEntered)
  const choices = useChoices({ text, answer: answer.data, onDone, onText: change })

  function change(next: string) {
    setText(next)
    setActive(-1)
  }

  useOnlyChoice(isEntered ? answer.data : undefined, choices)

  function press(event: KeyboardEvent<HTMLInputElement>) {
    // Enter that ends a Hangul composition belongs to the keyboard, and runs nothing. Some browsers say so by 229 only.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      // The caret would jump to an end of the text.
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      // No wrap-around: -1 is the way back to the plain search.
      setActive((at) => Math.max(-1, Math.min(choices.length - 1, at + step)))
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (choices[active]) choices[active].choose()
    else setEntered(text)
  }

  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type here
        autoFocus
        role="combobox"
        aria-label={texts.label}
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={choices[active] && `${id}-${active}`}
        autoComplete="off"
        spellCheck={false}
        value={text}
        placeholder={texts.placeholder}
        onChange={(event) => change(event.target.value)}
        onKeyDown={press}
        className="min-h-14 w-full shrink-0 border-b border-line bg-surface px-4 text-[1.0625rem] text-ink outline-none placeholder:text-faint"
      />
      <Options id={id} choices={choices} active={active} onPoint={setActive} />
      <p role="status" className="px-4 py-3 text-sm text-sub empty:hidden">
        {statusOf({ text, answer, isEntered, choices: choices.length, texts, language })}
      </p>
    </>
  )
}

// Opens the one thing that Enter can have meant, once for each answer: the choices are new objects each time the box renders.
function useOnlyChoice(answer: SearchAnswer | undefined, choices: readonly Choice[]): void {
  const opened = useRef<SearchAnswer>(undefined)
  useEffect(() => {
    if (!answer || opened.current === answer) return
    opened.current = answer
    const { hits, list, isRequestId } = answer
    // A request has two pages: what it was about, which comes first, and its own.
    // Suggestions only complete the text, so Enter never opens one by itself.
    if (hits.length + (list ? 1 : 0) === 1 || (isRequestId && hits.length > 0))
      choices.find(({ key }) => key === 'list' || key.startsWith('/'))?.choose()
  }, [answer, choices])
}

interface OptionsProps {
  id: string
  choices: readonly Choice[]
  active: number
  onPoint(at: number): void
}

// The focus stays in the box, which names the active one.
function Options({ id, choices, active, onPoint }: OptionsProps) {
  const texts = useTexts(TEXTS)
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label={texts.results}
      className="min-h-0 overflow-y-auto p-2 empty:hidden"
    >
      {choices.map(({ key, label, choose }, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        <div
          key={key}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          onClick={choose}
          // A list that changes under a resting pointer fires no move, so the choice of the keyboard stays.
          onPointerMove={() => onPoint(at)}
          className={`flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-3 ${at === active ? 'bg-quiet' : ''}`}
        >
          {label}
        </div>
      ))}
    </div>
  )
}

function statusOf(state: {
  text: string
  answer: ReturnType<typeof useSearch>
  isEntered: boolean
  choices: number
  texts: (typeof TEXTS)['ko']
  language: Language
}): string {
  const { text, answer, isEntered, texts } = state
  if (answer.error) return sayRefusal(refusalOf(answer.error), state.language)
  if (answer.data?.isRequestId)
    return answer.data.hits.length > 0 ? '' : texts.request(answer.data.requestsKeptDays)
  if (isEntered && answer.data && state.choices === 0) return texts.none
  return text.trim() === '' || isEntered ? '' : texts.enter
}

function useSearch(text: string, isEntered: boolean) {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const asked = (isEntered ? text : settled).trim()
  return useQuery({
    queryKey: ['search', asked, isEntered],
    queryFn: () =>
      callApi('GET /search', { query: { q: asked, ...(isEntered ? { people: 'yes' as const } : {}) } }),
    // While `settled` is behind the text, an answer would belong to the older text.
    enabled: asked !== '' && (isEntered || settled === text),
    // What was written a moment ago must be found, so no earlier answer is used.
    staleTime: 0,
  })
}

function useChoices({
  text,
  answer,
  onDone,
  onText,
}: {
  text: string
  answer: SearchAnswer | undefined
  onDone(): void
  onText(text: string): void
}): Choice[] {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const router = useRouter()
  const { data: lists } = useQuery(LISTS)
  const open = (path: string) => () => {
    onDone()
    // The service names the path of a hit. The router's types cannot know it.
    router.history.push(`${PAGES_PATH}${path}`)
  }
  const hits = (answer?.hits ?? []).map(({ kind, title, path }) => ({
    key: path,
    label: <Named name={texts.kinds[kind]} text={title} />,
    choose: open(path),
  }))
  const list = answer?.list
  const shown = list && {
    key: 'list',
    label: texts.list(nameOf(lists, list.list, language), typed(list.query, language)),
    choose: open(`/${list.list}${list.query ? `?${list.query}` : ''}`),
  }
  const suggestions = (lists ? suggestionsFor(text, lists, language) : []).map((one) => ({
    key: `suggestion ${one.text}`,
    label: <Named name={one.name} text={one.text} />,
    // A suggestion fills the box and leaves the palette open, because more filters may follow.
    choose: () => onText(one.text),
  }))
  return [...hits, ...(shown ? [shown] : []), ...suggestions]
}

// As it is typed. An action of the audit log has words, which the list shows.
const typed = (query: string, language: Language) =>
  [...new URLSearchParams(query)]
    .map(([name, value]) => {
      const words = name === 'action' ? EVENT_WORDS[language][value] : undefined
      return `${name}:${value}${words ? ` (${words})` : ''}`
    })
    .join(' ')

const nameOf = (lists: Lists | undefined, list: string, language: Language) =>
  lists?.lists.find((one) => one.list === list)?.names[language] ?? list

function Named({ name, text }: { name: string; text: string }) {
  return (
    <>
      <span className="w-28 shrink-0 text-sm text-sub">{name}</span>
      <span className="min-w-0 font-code text-[0.875em] break-all">{text}</span>
    </>
  )
}
