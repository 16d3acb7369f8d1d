import type { ReactNode } from 'react'
import type { Overview } from '../../../contract/console.gen.ts'
import { withCommas, won } from '../../kit/format.ts'
import { type Language, useLanguage, useTexts } from '../../kit/language.tsx'
import { duration } from '../shared/duration.ts'
import { useWords } from '../shared/object/value-words.ts'
import { Section } from '../shared/page.tsx'
import { RowsLink } from '../shared/rows-link.tsx'
import { Badge, type BadgeLook, type Fact, Facts } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    title: '상태',
    failures: '오늘 실패한 메시지',
    allFailures: '실패와 재시도',
    noFailures: '오늘 실패한 메시지가 없습니다.',
    worker: '백그라운드 작업',
    none: '이 서비스에 없음',
    database: '데이터베이스 쓰기',
    providers: '발송 업체',
    queue: '발송 대기',
    noQueue: '대기 중인 메시지 없음',
    late: '지연',
    feed: '시세',
    books: '장부 검증',
    notYet: '아직 실행 전',
    ago: '전',
    backup: '백업',
    noBackup: '설정되지 않음',
    restoration: '복원',
    noRestoration: '복원한 적 없음',
    guesses: '추측 경보',
    calm: '없음',
    good: '정상',
    bad: '이상',
    XAU: '금',
    XAG: '은',
    open: '거래 중',
    stale: '오래됨',
    stopped: '멈춤',
    heldBack: '보류',
    channels: { alimtalk: '알림톡', text: '문자', notice: '회원 알림' } as Record<string, string>,
  },
  en: {
    title: 'Health',
    failures: 'Messages that failed today',
    allFailures: 'Failures and retries',
    noFailures: 'No message failed today.',
    worker: 'Worker',
    none: 'none in this service',
    database: 'Database writes',
    providers: 'Providers',
    queue: 'Messages waiting',
    noQueue: 'none',
    late: 'late by',
    feed: 'Prices',
    books: 'Books verified',
    notYet: 'not yet',
    ago: 'ago',
    backup: 'Backups',
    noBackup: 'not set up',
    restoration: 'Restores',
    noRestoration: 'never restored',
    guesses: 'Guessing alarms',
    calm: 'none',
    good: 'fine',
    bad: 'trouble',
    XAU: 'Gold',
    XAG: 'Silver',
    open: 'open',
    stale: 'stale',
    stopped: 'stopped',
    heldBack: 'held back',
    channels: { alimtalk: 'Alimtalk', text: 'Text', notice: 'Notices' } as Record<string, string>,
  },
}

type HealthTexts = (typeof TEXTS)[Language]

export function Health({ overview }: { overview: Overview }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  // Needs link to this place. The margin keeps the title below the sticky header.
  return (
    <div id="health" className="scroll-mt-20">
      <Section title={texts.title}>
        <Facts
          facts={[...serviceFacts(overview, texts, language), ...outsideFacts(overview, texts, language)]}
        />
      </Section>
    </div>
  )
}

const List = ({ children }: { children: ReactNode }) => (
  <span className="flex flex-wrap gap-x-3 gap-y-1">{children}</span>
)

const state = (texts: HealthTexts, isGood: boolean, word?: ReactNode, look: BadgeLook = 'bad') => (
  <Badge look={isGood ? 'good' : look}>{word ?? (isGood ? texts.good : texts.bad)}</Badge>
)

function serviceFacts({ health }: Overview, texts: HealthTexts, language: Language): Fact[] {
  const { worker, writesFail, verification, backup, restoration } = health
  const ago = (seconds: number) => `${duration(seconds, language)} ${texts.ago}`
  return [
    {
      name: texts.worker,
      value:
        worker === null
          ? texts.none
          : state(texts, worker === 'running', worker === 'running' ? undefined : worker),
    },
    { name: texts.database, value: state(texts, !writesFail) },
    {
      name: texts.books,
      value:
        verification.ok === null ? (
          texts.notYet
        ) : (
          <List>
            {state(texts, verification.ok)}
            <span className="text-sub">{ago(verification.ageSeconds)}</span>
          </List>
        ),
    },
    // Without a backup in the settings there is nothing to judge.
    {
      name: texts.backup,
      value:
        backup === null ? (
          texts.noBackup
        ) : (
          <List>
            {state(texts, backup.archive === 'works')}
            {backup.ageSeconds !== null && <span className="text-sub">{ago(backup.ageSeconds)}</span>}
          </List>
        ),
    },
    {
      name: texts.restoration,
      value:
        restoration === null
          ? texts.noRestoration
          : state(texts, restoration.unverified + restoration.messagesHeld === 0),
    },
  ]
}

function outsideFacts({ health, metals }: Overview, texts: HealthTexts, language: Language): Fact[] {
  const { providers, queue, alarms, prices } = health
  return [
    {
      name: texts.providers,
      value:
        providers.length === 0 ? (
          state(texts, true)
        ) : (
          <List>
            {providers.map(({ provider, channel, isDown }) => (
              <span key={provider + channel}>
                {provider} {texts.channels[channel] ?? channel} {state(texts, !isDown)}
              </span>
            ))}
          </List>
        ),
    },
    {
      name: texts.queue,
      value:
        queue.length === 0 ? (
          texts.noQueue
        ) : (
          <List>
            {queue.map(({ channel, status, count, overdueSeconds }) => (
              <RowsLink key={channel + status} place={queuePlace(channel, statusOf(status))}>
                {texts.channels[channel] ?? channel} {status} {withCommas(count)}
                {overdueSeconds > 60 && ` (${texts.late} ${duration(overdueSeconds, language)})`}
              </RowsLink>
            ))}
          </List>
        ),
    },
    {
      name: texts.feed,
      value: (
        <List>
          {metals.map(({ metal, trading, wonPerGram, ageSeconds }) => (
            <RowsLink key={metal} place={{ to: '/prices' }}>
              {texts[metal as 'XAU' | 'XAG']} {wonPerGram !== null && `${won(wonPerGram, language)}/g `}
              {state(texts, trading === 'open', texts[trading])}
              {ageSeconds !== null && ` ${duration(ageSeconds, language)}`}
              {heldBackOf(prices, metal) > 0 && ` ${texts.heldBack} ${heldBackOf(prices, metal)}`}
            </RowsLink>
          ))}
        </List>
      ),
    },
    {
      name: texts.guesses,
      value:
        alarms.length === 0 ? (
          texts.calm
        ) : (
          <List>
            {alarms.map((kind) => (
              <Badge key={kind} look="bad">
                {kind}
              </Badge>
            ))}
          </List>
        ),
    },
  ]
}

// A message that waits for its next attempt is queued to the list.
const statusOf = (status: string) => (status === 'retrying' ? 'queued' : status)
// Notices have a list of their own.
const queuePlace = (channel: string, status: string) =>
  channel === 'notice'
    ? { to: '/notices', search: { status } }
    : { to: '/deliveries', search: { status, channel } }
const heldBackOf = (prices: Overview['health']['prices'], metal: string) =>
  prices.find((one) => one.metal === metal)?.heldBack ?? 0

export function TodaysFailures({ overview }: { overview: Overview }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const { failures, today } = overview
  return (
    <Section
      title={texts.failures}
      aside={<RowsLink place={{ to: '/delivery-health' }}>{texts.allFailures}</RowsLink>}
    >
      {failures.length === 0 ? (
        <p className="text-sub">{texts.noFailures}</p>
      ) : (
        <ul className="flex flex-col">
          {/* The page behind the link in the heading has all of them. */}
          {failures.slice(0, 8).map((one) => (
            <li
              key={[one.channel, one.status, one.provider, one.reason].join()}
              className="flex flex-wrap items-baseline gap-x-3 border-b border-line py-1.5 last:border-0"
            >
              <span className="min-w-0 flex-1 text-[0.9375rem]">
                {words(one.reason || one.status)}{' '}
                <span className="text-sub">
                  {texts.channels[one.channel]} {one.provider}
                </span>
              </span>
              <RowsLink
                place={{
                  to: '/deliveries',
                  search: {
                    status: one.status,
                    channel: one.channel,
                    settled: today.day,
                    ...(one.reason && { reason: one.reason }),
                    ...(one.provider && { provider: one.provider }),
                  },
                }}
                className="tabular-nums"
              >
                {withCommas(one.messages)}
              </RowsLink>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
