import { CREDITS, DEBITS } from '#modules/ledger/movements.ts'
import type { RetentionKind } from '#modules/retention/rules.ts'
import type { Words } from '#modules/retention/types.ts'

// Which tables hold data of a person, and which columns of them a person gets. tools/tidy/personal-data.ts compares this with
// the schema: a new table or column is named here, or the check fails.

// Why a column is not in the export.
export const WITHHELD = {
  secret: 'A key or a hash by which someone could come in, or a keyed hash that only serves the service.',
  ci: 'The identifier (CI) that every company in Korea knows the person by. A file with it would connect them all.',
  staff: 'Names a member of staff, an API key or a machine of the operator.',
  other: 'May be the number of another person, such as the one who passed the card on.',
  inner: 'A technical mark of the service that says nothing about the person.',
} as const

type Withheld = keyof typeof WITHHELD

interface PersonalTable {
  title: Words
  retention: RetentionKind
  // $1 the member, $2 accounts, $3 links to partners, $4 the member and the links.
  where: string
  order: string
  shown: readonly string[]
  // Sealed columns, opened for the export. The row's place is its id, unless `placeOf` says otherwise.
  sealed?: readonly string[]
  placeOf?: (row: Record<string, unknown>) => { table: string; row: string }
  // Columns that are not exported, by the reason.
  withheld: Partial<Record<Withheld, string>>
}

// Every transfer of a holder, by the indexes that the history uses.
const MOVES = `account a cross join lateral (${DEBITS} union all ${CREDITS}) m where a.holder_id = any($4::uuid[])`
const list = (columns: string) => columns.split(' ')
const PARTNER = '(select code from partner where id = t.partner_id) as partner'

export const PERSONAL_TABLES: Readonly<Record<string, PersonalTable>> = {
  member: {
    title: { ko: '회원', en: 'Member' },
    retention: 'identity',
    where: 't.id = $1::uuid',
    order: 't.id',
    shown: list('id created_at'),
    withheld: { ci: 'ci' },
  },
  member_account: {
    title: { ko: '계정과 본인 확인한 정보', en: 'Accounts and verified details' },
    retention: 'person',
    where: 't.id = any($2::uuid[])',
    order: 't.created_at, t.id',
    shown: list(
      'id login_id created_at closed_at password_changed_at language withdrawals_stopped_at frozen_at',
    ),
    sealed: list('details'),
    withheld: { inner: 'member_id logins_after', secret: 'password phone_index name_index search_key' },
  },
  member_consent: {
    title: { ko: '약관 동의', en: 'Consents' },
    retention: 'consents',
    where: 't.account_id = any($2::uuid[])',
    order: 't.id',
    shown: list('account_id terms_id version agreed at'),
    withheld: { inner: 'id' },
  },
  member_freeze: {
    title: { ko: '이용 정지', en: 'Freezes' },
    retention: 'protection',
    where: 't.member_id = $1::uuid',
    order: 't.frozen_at',
    shown: list('frozen_at thawed_at'),
    withheld: { inner: 'id member_id', staff: 'frozen_by thawed_by' },
  },
  partner_user: {
    title: { ko: '제휴사 연결과 제휴사가 알려 준 정보', en: 'Links to partners and what they told' },
    retention: 'partner_details',
    where: 't.id = any($3::uuid[])',
    order: 't.registered_at, t.id',
    shown: list('id partner_id partner_key status confirmed registered_at details_at decided_at'),
    sealed: list('details'),
    withheld: {
      inner: 'member_id logins_after index_key',
      staff: 'registered_by',
      secret: 'details_hash phone_index name_index search_key',
    },
  },
  former_details: {
    title: { ko: '바뀌기 전에 제휴사가 알려 준 정보', en: 'What partners had told before' },
    retention: 'partner_details',
    where: 't.partner_user_id = any($3::uuid[])',
    order: 't.replaced_at, t.id',
    shown: list('partner_user_id told_at replaced_at'),
    sealed: list('details'),
    placeOf: (row) => ({ table: 'partner_user', row: row.partner_user_id as string }),
    withheld: { inner: 'id', staff: 'replaced_by' },
  },
  signup_trace: {
    title: { ko: '제휴사 가입 추적 번호', en: 'Trace numbers of sign-ups by partners' },
    retention: 'partner_details',
    where: 't.partner_user_id = any($3::uuid[])',
    order: 't.at, t.id',
    shown: list('partner_user_id at'),
    sealed: list('trace_no'),
    withheld: { inner: 'id index_key', secret: 'hash' },
  },
  consent: {
    title: { ko: '제휴사에서 한 동의', en: 'Consents given at partners' },
    retention: 'consents',
    where: 't.partner_user_id = any($3::uuid[])',
    order: 't.id',
    shown: list('partner_user_id terms_id agreed at'),
    withheld: { inner: 'id' },
  },
  account: {
    title: { ko: '보유 자산', en: 'Holdings' },
    retention: 'transactions',
    where: 't.holder_id = any($4::uuid[])',
    order: 't.id',
    shown: list('id asset balance cost'),
    withheld: { inner: 'kind partner_id shard floor holder_id' },
  },
  transfer: {
    title: { ko: '거래 기록', en: 'Movements' },
    retention: 'transactions',
    where: `t.id = any(array(select m.id from ${MOVES}))`,
    order: 't.id',
    shown: list('id kind asset amount at debit_account credit_account card_id group_id'),
    withheld: {},
  },
  gift_card: {
    title: { ko: '등록하거나 환불받은 상품권', en: 'Cards registered or refunded' },
    retention: 'transactions',
    // By way of the transfers, which have an index for it.
    where: `t.id = any(array(select m.card_id from ${MOVES}))`,
    order: 't.issued_at, t.id',
    shown: list(
      'id number partner_id amount status issued_at issued_on expires_on used_at expired_at voided_at',
    ),
    withheld: {
      inner: 'tx_id index_key used_by',
      staff: 'api_key_id',
      other: 'recipient recipient_index',
      secret: 'pin pin_index',
    },
  },
  card_refund: {
    title: { ko: '만료 상품권 환불', en: 'Refunds of expired cards' },
    retention: 'transactions',
    where: 't.holder_id = any($4::uuid[])',
    order: 't.at',
    shown: list('id card_id payout policy face percent deduction total at'),
    withheld: { inner: 'quote_id holder_id', staff: 'request_id' },
  },
  card_extension: {
    title: { ko: '유효기간 연장', en: 'Extensions of cards' },
    retention: 'transactions',
    where: 't.holder_id = any($4::uuid[])',
    order: 't.at',
    shown: list('card_id from_day to_day at'),
    withheld: { inner: 'holder_id' },
  },
  trade_order: {
    title: { ko: '금·은 주문', en: 'Orders of gold and silver' },
    retention: 'transactions',
    where: 't.holder_id = any($4::uuid[])',
    order: 't.at, t.id',
    shown: list(
      'id side metal units reference price spread_bps fee_bps metal_won fee total from_points from_deposit cost at price_at price_source',
    ),
    withheld: { inner: 'quote_id holder_id' },
  },
  withdrawal: {
    title: { ko: '출금', en: 'Withdrawals' },
    retention: 'bank_accounts',
    where: 't.holder_id = any($4::uuid[])',
    order: 't.requested_at, t.id',
    shown: list(
      'id amount bank status requested_at approved_at settled_at payable_after stop_asked_at reason',
    ),
    sealed: list('destination'),
    withheld: {
      inner: 'holder_id request_id same_account_as single_person',
      secret: 'stop_hash',
      staff: 'approved_by settled_by approved_origin settled_origin approved_staff settled_staff',
    },
  },
  issued_statement: {
    title: { ko: '발급한 거래 내역서', en: 'Issued statements' },
    retention: 'statements',
    where: 't.holder_id = any($4::uuid[])',
    order: 't.issued_at, t.id',
    shown: list('id number issued_at'),
    sealed: list('document'),
    withheld: { secret: 'code_hash', inner: 'holder_id request_id' },
  },
  notice: {
    title: { ko: '보낸 메시지', en: 'Messages to the member' },
    retention: 'messages',
    where: 't.account_id = any($2::uuid[])',
    order: 't.id',
    shown: list('key purpose channel language created_at status sent_at settled_at'),
    sealed: list('recipient content'),
    placeOf: (row) => ({ table: 'notice', row: row.key as string }),
    withheld: {
      inner:
        'id account_id act_id attempt provider message_id reason retryable barred avoided due_at failures absences claimed_until tried_at first_tried_at',
    },
  },
  web_session: {
    title: { ko: '로그인 세션', en: 'Sessions' },
    retention: 'access',
    where: '(t.account_id = any($2::uuid[]) or t.partner_user_id = any($3::uuid[]))',
    order: 't.created_at',
    shown: list(
      'device_label created_at seen_at ended_at verified_at framed must_verify account_id partner_user_id',
    ),
    withheld: { secret: 'hash device_hash', inner: 'id' },
  },
  hash_key: {
    title: { ko: '제휴사가 연 화면의 열쇠', en: 'Keys of web views' },
    retention: 'access',
    where: 't.partner_user_id = any($3::uuid[])',
    order: 't.issued_at',
    shown: list('partner_user_id issued_at expires_at used_at'),
    withheld: { secret: 'hash' },
  },
  device: {
    title: { ko: '확인한 기기', en: 'Trusted browsers' },
    retention: 'access',
    where: '(t.owner_id = any($2::uuid[]) or t.owner_id = any($3::uuid[]))',
    order: 't.trusted_at',
    shown: list('trusted_at seen_at trusted first'),
    withheld: { secret: 'hash', inner: 'owner_id' },
  },
  member_erasure: {
    title: { ko: '삭제 요청', en: 'Requests for erasure' },
    retention: 'person',
    where: 't.account_id = any($2::uuid[])',
    order: 't.requested_at',
    shown: list('account_id requested_at details_until details_erased_at'),
    withheld: { staff: 'requested_by' },
  },
  passkey: {
    title: { ko: '패스키', en: 'Passkeys' },
    retention: 'access',
    where: 't.account_id = any($2::uuid[])',
    order: 't.created_at',
    shown: list('id created_at last_used_at blocked_at transports backed_up'),
    sealed: list('name'),
    withheld: { inner: 'account_id counter backup_eligible', secret: 'credential_id public_key' },
  },
  api_request: {
    title: { ko: '요청 기록', en: 'Requests' },
    retention: 'access',
    where: "(t.member_id = $1::uuid or t.object_kind = 'member' and t.object_id = ($1::uuid)::text)",
    order: 't.at, t.id',
    shown: list('id at audience method route status code reason ms object_kind object_id'),
    withheld: { inner: 'member_id partner_id', staff: 'key_id staff_id' },
  },
  audit_entry: {
    title: { ko: '계정에 대해 기록된 일', en: 'What was recorded about the account' },
    retention: 'protection',
    where: 't.subject = any(array(select unnest($2::uuid[] || $4::uuid[])::text))',
    order: 't.id',
    shown: list('at action'),
    withheld: { inner: 'id subject private_id private_hash', staff: 'actor details' },
  },
}

// Read beside the columns, for a reader who knows no numbers of partners.
export const ALSO_READ: Readonly<Record<string, string>> = { partner_user: PARTNER, gift_card: PARTNER }

// Tables that the export leaves out, each with the reason.
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  member_ci: 'keyed hashes of the CI',
  audit_private: 'reasons that staff wrote, and where staff came from',
  change_request: 'requests of staff; what they moved is among the movements',
  refund_quote: 'offers, gone within two days',
  trade_quote: 'offers, gone within minutes',
  identity_verification: 'verifications under way, gone within the hour',
  onboarding: 'belongs to a browser, not to a member; gone within the hour',
  guess_count: 'counts by keyed hash',
  passkey_challenge: 'ceremonies under way, gone within the hour',
  notice_event: 'how each message was sent; the messages are in the export',
  cancel_reason: 'of cards that no member registered',
  redemption_key: 'hashes that recognise a retry',
  lost_attempt: 'messages that a restore lost, masked; of no known member',
}
