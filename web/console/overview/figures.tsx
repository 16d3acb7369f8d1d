import type { Overview } from '../../../contract/console.gen.ts'
import { withCommas, won } from '../../kit/format.ts'
import { type Language, useLanguage, useTexts } from '../../kit/language.tsx'
import { Note } from '../../kit/note.tsx'
import { Section } from '../shared/page.tsx'
import { RowsLink, type RowsPlace } from '../shared/rows-link.tsx'

const TEXTS = {
  ko: {
    today: '오늘 (서울)',
    stock: '미사용 상품권',
    issued: '발행',
    used: '사용',
    voided: '취소',
    expired: '만료',
    outstanding: '미사용 잔액',
    within: (days: number) => `${days}일 안에 만료`,
    large: '50만원 초과 상품권',
    largeNote:
      '50만원이 넘는 무기명 상품권은 선불업 관련 시행령의 한도를 넘을 수 있습니다. 법률 자문을 받아 주세요.',
    members: '새 회원',
    orders: '주문',
    withdrawals: '출금 요청',
    failed: '발송 실패',
    cards: (count: string) => `${count}장`,
    people: (count: string) => `${count}명`,
    times: (count: string) => `${count}건`,
  },
  en: {
    today: 'Today (Seoul)',
    stock: 'Cards not used yet',
    issued: 'Issued',
    used: 'Used',
    voided: 'Voided',
    expired: 'Expired',
    outstanding: 'Outstanding',
    within: (days: number) => `Expiring within ${days} days`,
    large: 'Cards above ₩500,000',
    largeNote:
      'Bearer cards above ₩500,000 may exceed the limit of the decree on prepaid means. Take legal advice.',
    members: 'New members',
    orders: 'Orders',
    withdrawals: 'Withdrawals asked for',
    failed: 'Messages failed',
    cards: (count: string) => (count === '1' ? '1 card' : `${count} cards`),
    people: (count: string) => count,
    times: (count: string) => count,
  },
}

interface Tile {
  name: string
  main: string
  sub?: string
  place: RowsPlace
}

export function Figures({ overview }: { overview: Overview }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { today, large } = overview
  return (
    <>
      <Section title={texts.today} aside={today.day}>
        <Tiles tiles={todayTiles(overview, texts, language)} />
      </Section>
      <Section title={texts.stock}>
        <Tiles tiles={stockTiles(overview, texts, language)} />
        {/* Whether such cards are allowed is a question of law. The page can only point it out. */}
        {large.cards > 0 && (
          <div className="pt-3">
            <Note>{texts.largeNote}</Note>
          </div>
        )}
      </Section>
    </>
  )
}

type FigureTexts = (typeof TEXTS)[Language]

function todayTiles({ today }: Overview, texts: FigureTexts, language: Language): Tile[] {
  const { day } = today
  const card = (name: string, { cards, won: amount }: Overview['outstanding'], place: RowsPlace): Tile => ({
    name,
    main: won(amount, language),
    sub: texts.cards(withCommas(cards)),
    place,
  })
  return [
    card(texts.issued, today.issued, { to: '/cards', search: { issued: day } }),
    card(texts.used, today.used, { to: '/cards', search: { used: day } }),
    card(texts.voided, today.voided, { to: '/cards', search: { voided: day } }),
    card(texts.expired, today.expired, { to: '/cards', search: { expired: day } }),
    {
      name: texts.members,
      main: texts.people(withCommas(today.members)),
      place: { to: '/members', search: { joined: day } },
    },
    {
      name: texts.orders,
      main: won(today.ordersWon, language),
      sub: texts.times(withCommas(today.orders)),
      place: { to: '/orders', search: { at: day } },
    },
    {
      name: texts.withdrawals,
      main: won(today.withdrawalsWon, language),
      sub: texts.times(withCommas(today.withdrawals)),
      place: { to: '/withdrawals', search: { requested: day } },
    },
    {
      name: texts.failed,
      main: texts.times(withCommas(today.failed)),
      place: { to: '/deliveries', search: { status: 'failed', settled: day } },
    },
  ]
}

function stockTiles(
  { outstanding, expiring, large }: Overview,
  texts: FigureTexts,
  language: Language,
): Tile[] {
  const tile = (
    name: string,
    { cards, won: amount }: Overview['outstanding'],
    search: RowsPlace['search'],
  ) => ({
    name,
    main: won(amount, language),
    sub: texts.cards(withCommas(cards)),
    // A card past its last day counts as outstanding until the worker expires it, as its status says.
    place: { to: '/cards', search: { status: 'issued', ...search } },
  })
  return [
    tile(texts.outstanding, outstanding, {}),
    ...expiring.map((one) => tile(texts.within(one.days), one, { expires: `${one.from}..${one.through}` })),
    // Above ₩500,000, in whole won: the limit for bearer cards.
    tile(texts.large, large, { amount: '500001..' }),
  ]
}

function Tiles({ tiles }: { tiles: readonly Tile[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-4">
      {tiles.map(({ name, main, sub, place }) => (
        <div key={name} className="flex min-w-0 flex-col">
          <dt className="text-sm text-sub">{name}</dt>
          <dd className="m-0">
            <RowsLink place={place} className="text-ink no-underline">
              <span className="text-lg font-bold break-words tabular-nums">{main}</span>
            </RowsLink>
            {sub && <span className="block text-sm text-sub tabular-nums">{sub}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
