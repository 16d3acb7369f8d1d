import type { Need, NeedKind } from '../../../contract/console.gen.ts'
import { withCommas, won } from '../../kit/format.ts'
import { type Language, type Texts, useLanguage, useTexts } from '../../kit/language.tsx'
import { duration } from '../shared/duration.ts'
import { Section } from '../shared/page.tsx'
import { RowsLink, type RowsPlace } from '../shared/rows-link.tsx'
import { ExactMoment } from '../shared/values.tsx'

interface Saying {
  what: string
  todo: string
}

// A new kind of need does not compile without words and a place.
type Sayings = Record<NeedKind, Saying>

// What is wrong with the service itself has no list of rows. The facts are further down on the same page.
const HEALTH: RowsPlace = { to: '/', hash: 'health' }
const PLACES: Record<NeedKind, RowsPlace> = {
  writes_fail: HEALTH,
  books_broken: HEALTH,
  restoration_unverified: HEALTH,
  backup_archive_given_up: HEALTH,
  guessing: HEALTH,
  worker_not_running: HEALTH,
  messages_not_sent: { to: '/deliveries', search: { status: 'queued' } },
  provider_down: { to: '/delivery-health' },
  prices_stale: { to: '/prices' },
  trading_stopped: { to: '/prices' },
  backup_archive_fails: HEALTH,
  books_not_verified: HEALTH,
  restoration_messages_held: HEALTH,
  approvals_open: { to: '/approvals' },
  withdrawals_to_approve: { to: '/withdrawals', search: { status: 'requested' } },
  withdrawals_to_pay: { to: '/withdrawals', search: { status: 'approved' } },
  messages_fail: { to: '/delivery-health' },
  backup_old: HEALTH,
  figures_lag: HEALTH,
  safeguard_short: { to: '/reports/safeguarding' },
  credit_95: { to: '/partners' },
  credit_80: { to: '/partners' },
  credit_untold: { to: '/partners' },
}

const KO: Sayings = {
  writes_fail: { what: '데이터베이스에 쓸 수 없습니다', todo: '디스크와 데이터베이스 상태를 확인해 주세요.' },
  books_broken: {
    what: '장부 검증에서 맞지 않는 항목이 나왔습니다',
    todo: 'ingot verify 명령으로 무엇이 다른지 확인해 주세요.',
  },
  restoration_unverified: {
    what: '복원한 뒤 장부가 아직 검증되지 않았습니다',
    todo: 'ingot verify 명령을 실행해 주세요.',
  },
  backup_archive_given_up: {
    what: '백업 기록에 빈 구간이 생겼습니다',
    todo: '공간을 확보하고 ingot backup 명령을 실행해 주세요.',
  },
  guessing: {
    what: 'PIN이나 비밀번호를 추측하는 시도가 많습니다',
    todo: '어디서 오는지 확인하고 차단해 주세요.',
  },
  worker_not_running: {
    what: '백그라운드 작업이 멈춰 있습니다',
    todo: 'worker 역할의 프로세스와 로그를 확인해 주세요.',
  },
  messages_not_sent: { what: '발송되지 못한 메시지가 기다립니다', todo: '발송 업체와 설정을 확인해 주세요.' },
  provider_down: {
    what: '발송 업체가 응답하지 않습니다',
    todo: '업체 상태를 확인해 주세요. 돌아오면 이어서 보냅니다.',
  },
  prices_stale: {
    what: '시세가 오래되어 거래가 멈췄습니다',
    todo: '시세 공급을 확인하거나 직접 시세를 요청해 주세요.',
  },
  trading_stopped: { what: '거래를 멈춰 둔 상태입니다', todo: '원인이 해결되면 거래를 다시 시작해 주세요.' },
  backup_archive_fails: {
    what: '백업이 저장되지 않고 있습니다',
    todo: '백업 폴더의 공간과 권한을 확인해 주세요.',
  },
  books_not_verified: {
    what: '장부 검증이 하루 넘게 실행되지 않았습니다',
    todo: 'worker가 실행 중인지 확인해 주세요.',
  },
  restoration_messages_held: {
    what: '복원 이전 메시지가 업체의 답을 기다립니다',
    todo: 'ingot restored report 명령으로 확인해 주세요.',
  },
  approvals_open: {
    what: '승인을 기다리는 요청이 있습니다',
    todo: '내용을 확인하고 승인하거나 거절해 주세요.',
  },
  withdrawals_to_approve: { what: '승인할 출금이 있습니다', todo: '확인하고 승인하거나 거절해 주세요.' },
  withdrawals_to_pay: { what: '송금할 출금이 있습니다', todo: '송금한 뒤 지급을 기록해 주세요.' },
  messages_fail: {
    what: '고칠 수 있는 이유로 메시지가 실패했습니다',
    todo: '원인을 고친 뒤 다시 보내 주세요.',
  },
  backup_old: {
    what: '마지막 전체 백업이 오래되었습니다',
    todo: '로그에서 백업이 실패한 이유를 확인해 주세요.',
  },
  safeguard_short: {
    what: '별도 관리 자금이 미상환 잔액보다 적습니다',
    todo: '자금을 채우고 관리 기관의 잔액을 기록해 주세요.',
  },
  credit_95: {
    what: '제휴사가 신용 한도의 95% 이상을 썼습니다',
    todo: '입금을 요청하거나 한도를 확인해 주세요. 한도에 닿으면 발행이 거절됩니다.',
  },
  credit_untold: {
    what: '한도에 가까운 제휴사에 알림을 받을 연락처가 없습니다',
    todo: '제휴사 화면에서 휴대전화 번호가 있는 연락처를 등록해 주세요.',
  },
  credit_80: { what: '제휴사가 신용 한도의 80% 이상을 썼습니다', todo: '입금 예정을 확인해 주세요.' },
  figures_lag: { what: '집계가 늦어지고 있습니다', todo: 'worker와 끝나지 않은 트랜잭션을 확인해 주세요.' },
}

const EN: Sayings = {
  writes_fail: { what: 'The database refuses to write', todo: 'Check its disk and its state.' },
  books_broken: { what: 'The books do not agree', todo: 'ingot verify names what is wrong.' },
  restoration_unverified: {
    what: 'The books were not verified after a restore',
    todo: 'Run ingot verify.',
  },
  backup_archive_given_up: {
    what: 'The archive of backups has a gap',
    todo: 'Make room, then run ingot backup.',
  },
  guessing: { what: 'Many PINs or passwords are being guessed', todo: 'Find out where from, and block it.' },
  worker_not_running: {
    what: 'The worker does not run',
    todo: 'Check the processes with the worker role and their log.',
  },
  messages_not_sent: {
    what: 'Messages wait and no provider takes them',
    todo: 'Check the provider and its settings.',
  },
  provider_down: {
    what: 'A messaging provider does not answer',
    todo: 'Check its status. Sending goes on when it is back.',
  },
  prices_stale: {
    what: 'Prices are too old, so trading has stopped',
    todo: 'Check the feed, or ask for a price by hand.',
  },
  trading_stopped: { what: 'Trading is stopped', todo: 'Resume it when the cause is gone.' },
  backup_archive_fails: {
    what: 'Backups are not being written',
    todo: 'Check space and rights of the backup folder.',
  },
  books_not_verified: { what: 'The books were not verified for a day', todo: 'Check that a worker runs.' },
  restoration_messages_held: {
    what: 'Messages from before a restore wait',
    todo: 'ingot restored report shows for which provider.',
  },
  approvals_open: { what: 'Requests wait for approval', todo: 'Read them, then approve or refuse.' },
  withdrawals_to_approve: { what: 'Withdrawals wait for approval', todo: 'Check, then approve or refuse.' },
  withdrawals_to_pay: { what: 'Withdrawals wait to be paid', todo: 'Pay them, then record the payout.' },
  messages_fail: {
    what: 'Messages fail for reasons you can repair',
    todo: 'Repair the cause, then send them again.',
  },
  backup_old: { what: 'The last full backup is old', todo: 'The log says why the daily backup failed.' },
  credit_untold: {
    what: 'A partner near its limit has no contact who could be told',
    todo: "Add a contact with a mobile number on the partner's page.",
  },
  safeguard_short: {
    what: 'Less is safeguarded than is outstanding',
    todo: 'Fill the gap, then record what the institution holds.',
  },
  credit_95: {
    what: 'A partner has used 95% of its credit or more',
    todo: 'Ask for a payment, or look at the limit. At the limit purchases are refused.',
  },
  credit_80: {
    what: 'A partner has used 80% of its credit or more',
    todo: 'Check when its next payment comes.',
  },
  figures_lag: { what: 'Figures are behind', todo: 'Check the worker, and transactions that do not end.' },
}

const SAYINGS: Texts<Sayings> = { ko: KO, en: EN }

const TEXTS = {
  ko: {
    title: '지금 사람이 필요한 일',
    well: '지금은 사람이 할 일이 없습니다.',
    since: '확인한 때부터',
    open: '보러 가기',
  },
  en: {
    title: 'What needs a person now',
    well: 'Nothing needs a person. All is well.',
    since: 'so since',
    open: 'Look',
  },
}

export function Needs({ needs, wellSince }: { needs: readonly Need[]; wellSince: string | null }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const sayings = useTexts<Sayings>(SAYINGS)
  return (
    <Section title={texts.title}>
      {needs.length === 0 ? (
        <p role="status" className="text-body">
          {texts.well}{' '}
          {wellSince && (
            <span className="text-sub">
              ({texts.since} <ExactMoment at={wellSince} />)
            </span>
          )}
        </p>
      ) : (
        <ul className="flex flex-col">
          {needs.map((need) => (
            <li
              key={need.kind}
              className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-line py-2.5 last:border-0"
            >
              <span aria-hidden="true" className="size-2 shrink-0 self-center rounded-full bg-up" />
              <span className="min-w-0 flex-1 basis-72">
                <span className="font-semibold">{sayings[need.kind].what}</span>
                {factsOf(need, language) && <span className="text-body"> · {factsOf(need, language)}</span>}
                <span className="block text-sm text-sub">{sayings[need.kind].todo}</span>
              </span>
              <RowsLink place={PLACES[need.kind]} className="shrink-0 text-[0.9375rem]">
                {texts.open}
                {/* All these links have the same word, so a screen reader also hears what each is about. */}
                <span className="sr-only"> · {sayings[need.kind].what}</span>
              </RowsLink>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

// How many, which, and for how long.
function factsOf({ count, names, seconds, won: amount }: Need, language: Language): string {
  return [
    ...(count === null ? [] : [language === 'ko' ? `${withCommas(count)}건` : withCommas(count)]),
    ...names,
    ...(amount === null ? [] : [won(amount, language)]),
    ...(seconds === null ? [] : [duration(seconds, language)]),
  ].join(' · ')
}
