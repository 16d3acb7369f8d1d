// Made by `npm run generate` from console-openapi.json. Do not edit.

export interface AccountLine {
  day: string
  belongsTo: string
  isClosed: boolean
  kind: string
  // In `unit`.
  debit: string
  // In `unit`.
  credit: string
  transfers: number
}

export interface AccountStatement {
  at: string
  from: string
  // Lines after it are of transfers not closed.
  closedUntil: string | null
  unit: Unit
  // In `unit`.
  opening: string
  // In `unit`.
  closing: string
  lines: AccountLine[]
}

export interface ActAsked {
  // True: a second person has to approve it.
  waiting: boolean
  requestId: string | null
}

export type AdjustableAsset = 'points' | 'deposit'

export interface Adjustment {
  asset: AdjustableAsset
  // Won, signed; never 0.
  amount: number
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface ApiKey {
  id: string
  label: string
  scopes: Scope[]
  networks: string[]
  createdAt: string
  expiresAt: string | null
  // May lie ahead: the end of an overlap.
  revokedAt: string | null
  // To the minute.
  lastUsedAt: string | null
}

export interface ApiRequest {
  // As the answer had it in `X-Request-Id`.
  id: string
  at: string
  audience: RequestAudience
  method: string
  // The pattern of the path, never what stood in it.
  route: string
  // 499: the caller hung up before the answer.
  status: number
  // Of the refusal.
  code: string | null
  // Which cause, or which fields were bad. The caller was told less.
  reason: string | null
  // From the request to the last byte of its answer.
  ms: number
  partner: string | null
  partnerName: string | null
  keyId: string | null
  // Email of who asked, in the console.
  staff: string | null
  // Whose session it was.
  memberId: string | null
  object: ObjectRef | null
  // After so many days the record is deleted.
  keptDays: number
}

export interface Approval {
  note?: string
}

export interface ApprovalCount {
  requests: number
  withdrawals: number
}

export interface ApprovalRequest {
  id: string
  kind: ChangeKind
  status: ChangeStatus
  // A metal, a partner code, the id of a holder or a card, or the email of a staff member.
  subject: string
  subjectKind: ChangeSubject
  changes: FieldDifference[]
  // Null: there is one, and the caller may neither decide nor ask for such a change.
  reason: string | null
  maker: DecidingPerson
  checker: DecidingPerson | null
  // One person was both, in a sandbox.
  singlePerson: boolean
  expiresAt: string
  // The caller asked for it.
  mine: boolean
  // As far as role and person go. The approval checks again.
  mayApprove: boolean
  mayRefuse: boolean
}

export interface AskedPayment {
  reference: string
  state: AskedPaymentState
  requestId: string | null
  // The stable code of the refusal.
  refusal: string | null
}

export type AskedPaymentState = 'waiting' | 'booked' | 'refused'

export interface AskedPayments {
  payments: AskedPayment[]
}

export interface AssertionResponse {
  // base64url.
  clientDataJSON: string
  // base64url.
  authenticatorData: string
  // base64url.
  signature: string
  // base64url.
  userHandle?: string
}

export type Asset = 'KRW_POINT' | 'KRW' | 'XAU' | 'XAG'

export interface AttestationResponse {
  // base64url.
  clientDataJSON: string
  // base64url.
  attestationObject: string
  transports?: string[]
}

export interface AuditAnchor {
  host: string
  folder: string
  position: number
  anchoredAt: string
}

export interface AuditChain {
  // The last position of the chain.
  sealedTo: number
  sealedAt: string | null
  // Entries that wait for their position.
  waiting: number
  // How long the oldest of them has waited.
  waitingSeconds: number
  // Entries from before the chain are still being sealed.
  backlog: boolean
  // The last anchor of each server, newest first.
  anchors: AuditAnchor[]
  verified: AuditVerification | null
}

export interface AuditChange {
  name: string
  before: string | null
  after: string | null
}

export interface AuditEntry {
  entryId: string
  at: string
  actor: string
  action: string
  subject: string
  facts: AuditFact[]
  changes: AuditChange[]
  position: number | null
  private: AuditPrivate
}

export interface AuditErased {
  erased: boolean
}

export interface AuditFact {
  name: string
  value: string | null
}

export interface AuditFinding {
  kind: AuditFindingKind
  position: string | null
  entry: string | null
  goodTo: string | null
  at: string | null
}

export type AuditFindingKind =
  | 'entry_edited'
  | 'entry_deleted'
  | 'entry_inserted'
  | 'entry_misdated'
  | 'link_deleted'
  | 'link_edited'
  | 'private_edited'
  | 'private_deleted'
  | 'erased_without_entry'
  | 'chain_rewritten'
  | 'chain_cut_off'
  | 'anchor_forged'
  | 'anchors_missing'

export interface AuditOrigin {
  name: string
  value: string
}

export type AuditPrivate = 'none' | 'sealed' | 'erased' | 'lost'

export interface AuditPrivatePart {
  state: AuditPrivateState
  reason: string | null
  from: AuditOrigin[]
}

export type AuditPrivateState = 'open' | 'none' | 'erased' | 'lost'

export interface AuditReason {
  reason: string
}

export interface AuditVerification {
  at: string
  sealedTo: number
  finding: AuditFinding | null
}

export interface AuthenticatorSelection {
  residentKey: 'required'
  requireResidentKey: true
  userVerification: 'required'
}

export type BackupArchive = 'works' | 'fails' | 'given_up'

export interface BackupHealth {
  archive: BackupArchive
  ageSeconds: number | null
}

export interface BankFileToMatch {
  // The bytes of the file, in base64. 1 MB at most.
  file: string
}

export type BankMatch = 'certain' | 'likely' | 'amount' | 'none'

export interface BankName {
  ko: string
  en: string
}

export interface BankPayment {
  partner: string
  reference: string
  won: number
  statements: string[]
}

export interface BankPayments {
  payments: BankPayment[]
  // What is more than is owed becomes deposit.
  prepay: boolean
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface BankRow {
  // In the file, from 1.
  line: number
  date: string
  payer: string
  // Won.
  won: number
  reference: string
  sure: BankMatch
  partner: string | null
  statements: string[]
  // A payment of this reference is there already.
  known: KnownPayment | null
}

export interface BookRow {
  id: string
  at: string
  belongsTo: string
  kind: string
  asset: string
  unit: Unit
  // In `unit`.
  amount: string
  // The kind of the account that it is taken from.
  debit: string
  credit: string
  act: string
  cardId: string | null
}

export interface BookRows {
  rows: BookRow[]
  next: string | null
}

export interface Bullion {
  at: string
  hedges: HedgeGap[]
  // Newest first, 500 at most.
  trades: BullionTrade[]
  waiting: WaitingBullion[]
}

export type BullionMetal = 'XAU' | 'XAG'

export type BullionSide = 'buy' | 'sell'

export interface BullionTrade {
  // Of the request that two people agreed on.
  id: string
  side: BullionSide
  metal: BullionMetal
  // Grams with four places.
  grams: string
  // Won.
  won: number
  reference: string
  at: string
}

export interface BullionWish {
  side: BullionSide
  metal: BullionMetal
  grams: string
  // Paid or received, without VAT.
  won: number
  reference: string
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface CancelReason {
  cancelReason: string | null
  shownAt: string
}

export interface CardDelivery {
  id: string
  cardId: string
  channel: Channel
  purpose: Purpose
  status: DeliveryStatus
  attempts: number
  provider: string | null
  messageId: string | null
  reason: string | null
  retryable: boolean | null
  createdAt: string
  sentAt: string | null
  settledAt: string | null
  dueAt: string | null
}

export interface CardEquation {
  partner: string | null
  // In `unit`.
  opening: string
  // In `unit`.
  issued: string
  // In `unit`.
  used: string
  // In `unit`.
  voided: string
  // In `unit`.
  refunded: string
  // In `unit`.
  expired: string
  // In `unit`.
  other: string
  // In `unit`.
  closing: string
}

export interface CardExtended {
  giftId: string
  // A day in Seoul.
  fromDay: string
  // A day in Seoul.
  toDay: string
}

export interface CardFigure {
  cards: number
  // Won.
  won: number
}

export interface CardPage {
  giftId: string
  txId: string
  number: number
  // Code.
  partner: string
  partnerName: string
  // Won.
  amount: number
  status: CardStatus
  // Masked.
  recipient: string
  // The key that bought it.
  apiKeyId: string
  issuedAt: string
  // The last day, in Seoul.
  expires: string
  // The last day on which the partner may cancel it.
  cancelUntil: string
  usedAt: string | null
  // Masked. Null for a partner's staff.
  usedBy: CardUser | null
  voidedAt: string | null
  expiredAt: string | null
  // The last day before it was extended, which happens once.
  extendedFrom: string | null
  // Null for a partner's staff.
  refund: CardRefund | null
  // The request for a refund that waits for a second person.
  refundWaits: string | null
  // The request for its void that waits for a second person.
  voidWaits: string | null
  // The moment of this answer.
  now: string
  deliveries: CardDelivery[]
  transfers: Transfer[]
  timeline: Timeline
}

export interface CardRefund {
  id: string
  at: string
  memberId: string
  payout: Payout
  // The policy's version.
  policy: string
  // Won.
  face: number
  percent: number
  // Won.
  deduction: number
  // Won.
  total: number
}

export interface CardResent {
  giftId: string
  channels: Channel[]
}

export type CardStatus = 'issued' | 'used' | 'voided' | 'expired'

export interface CardUser {
  memberId: string
  loginId: string | null
  name: string | null
}

export interface CardVoided {
  giftId: string
  // Won.
  amount: number
  // True: a second person has to approve it.
  waiting: boolean
  requestId: string | null
}

export type ChangeKind =
  | 'price'
  | 'terms'
  | 'credit_limit'
  | 'payment'
  | 'payment_reversal'
  | 'adjustment'
  | 'card_void'
  | 'refund'
  | 'refund_policy'
  | 'staff_role'
  | 'bullion'
  | 'commission_rate'
  | 'safeguard'

export type ChangeStatus = 'waiting' | 'executed' | 'refused' | 'expired'

export type ChangeSubject =
  | 'metal'
  | 'partner'
  | 'holder'
  | 'card'
  | 'refund_policy'
  | 'staff'
  | 'institution'

export type Channel = 'alimtalk' | 'text'

export interface ClosedDay {
  day: string
  throughId: string
  movements: number
  // Of these, how many belong to earlier days.
  corrections: number
  closedAt: string
  closedBy: string
  hash: string
}

export interface ClosedDays {
  days: ClosedDay[]
  // Where the next page begins.
  next: string | null
}

export interface ClosedMonth {
  month: string
  days: number
  statements: string[]
  warnings: MonthWarning[]
  // The last transfer that it covers.
  throughId: string
  closedAt: string
  closedBy: string
  hash: string
}

export interface ClosedPeriod {
  partner: string
  from: string
  // The first day after the period.
  to: string
}

export interface CodeProof {
  // Six digits of the authenticator app, or a recovery code.
  code: string
}

export type ColumnKind = 'id' | 'text' | 'choice' | 'won' | 'count' | 'grams' | 'moment' | 'day'

export type CommissionBase = 'issued' | 'used'

export interface CommissionRate {
  effectiveFrom: string
  // Hundredths of a percent.
  bps: number
  base: CommissionBase
}

export interface ConsoleMetal {
  metal: TradedMetal
  trading: ConsoleTrading
  price: ConsolePrice | null
  terms: ConsoleTerms
  // Terms and stops, newest first. Each holds from its time on.
  history: TermsEntry[]
  byHand: HandPrice[]
}

export interface ConsolePrice {
  at: string
  // Won per gram.
  reference: number
  // Won per gram.
  ask: number
  // Won per gram.
  bid: number
  dayBefore: number | null
  ageSeconds: number
  // `operator`: by hand.
  source: string
}

export interface ConsolePriceHistory {
  metal: TradedMetal
  points: ConsolePricePoint[]
}

export interface ConsolePricePoint {
  at: string
  // Won per gram.
  wonPerGram: number
}

export interface ConsolePrices {
  at: string
  metals: ConsoleMetal[]
}

export interface ConsoleSession {
  signedIn: boolean
  sandbox: boolean
  staff: SignedInStaff | null
  permissions: Permission[]
  // Whoever asks may also approve: a declared mode of a sandbox.
  singlePerson: boolean
  // Identity was proved within the last ten minutes.
  fresh: boolean
}

export interface ConsoleTerms {
  // Hundredths of a percent.
  spreadBps: number
  // Hundredths of a percent.
  feeBps: number
  // Trading stops when the newest price is older.
  maxAgeSeconds: number
}

export type ConsoleTrading = 'open' | 'stale' | 'stopped'

export interface ConsoleWithdrawal {
  id: string
  status: WithdrawalStatus
  // Won.
  amount: number
  memberId: string
  // The three digits of the bank.
  bank: string
  bankName: BankName
  // Masked.
  account: string
  requestedAt: string
  payableAfter: string
  // It is not paid before `payableAfter`, so that its member can stop it.
  waits: boolean
  frozen: boolean
  stopAskedAt: string | null
  approvedBy: string | null
  approvedAt: string | null
  settledBy: string | null
  settledAt: string | null
  reason: string | null
  // One person approved and paid it, in a sandbox.
  singlePerson: boolean
  // A restore is being examined: nothing is approved or paid.
  restoreExamined: boolean
  // What the caller may do now, as far as role, person and state go.
  acts: WithdrawalAct[]
  mayReveal: boolean
  // Newest first.
  timeline: WithdrawalEvent[]
}

export interface CountingFigure {
  // Seconds.
  lagSeconds: number
  counted: number
  total: number
}

export interface DataFile {
  fileName: string
  content: string
}

export type DataKind =
  | 'person'
  | 'identity'
  | 'login_id'
  | 'transactions'
  | 'bank_accounts'
  | 'statements'
  | 'consents'
  | 'partner_details'
  | 'messages'
  | 'access'
  | 'protection'
  | 'recipients'
  | 'under_way'

export interface DayAccount {
  account: string
  asset: string
  partner: string | null
  // In `unit`.
  opening: string
  // In `unit`.
  debit: string
  // In `unit`.
  credit: string
  // In `unit`.
  closing: string
}

export interface DayDifference {
  row: DifferenceRow
  id: string
  day: string | null
  byTransfers: string
  byRow: string
}

export interface DayFigures {
  // A day in Seoul.
  day: string
  issued: CardFigure
  used: CardFigure
  voided: CardFigure
  expired: CardFigure
  members: number
  orders: number
  // Won.
  ordersWon: number
  withdrawals: number
  // Won.
  withdrawalsWon: number
  delivered: number
  failed: number
}

export interface DayLine {
  account: string
  asset: string
  partner: string | null
  kind: string
  belongsTo: string
  // In `unit`.
  debit: string
  // In `unit`.
  credit: string
}

export interface DecidedApprovals {
  // Newest first.
  requests: ApprovalRequest[]
  // `before` of the next page.
  next: string | null
}

export interface DecidingPerson {
  actor: string
  // The browser's address, for an act in the console.
  address: string | null
  // What the machine knew of the account, for an act on the command line.
  machine: SeenOfAccount | null
  at: string
}

export interface DeliveryAttempt {
  at: string
  status: DeliveryStatus
  attempt: number
  provider: string | null
  reason: string | null
}

export interface DeliveryHealth {
  // A day in Seoul.
  from: string
  // A day in Seoul.
  to: string
  failures: FailureFigure[]
  retries: DeliveryRetry[]
}

export interface DeliveryPage {
  id: string
  cardId: string
  channel: Channel
  purpose: Purpose
  status: DeliveryStatus
  attempts: number
  provider: string | null
  messageId: string | null
  reason: string | null
  retryable: boolean | null
  createdAt: string
  sentAt: string | null
  settledAt: string | null
  dueAt: string | null
  // Code.
  partner: string
  partnerName: string
  // Masked.
  recipient: string
  language: MessageLanguage
  // Of the text.
  version: number
  subject: string | null
  // As it was sent, but for the PIN and the code of the link.
  text: string
  events: DeliveryAttempt[]
  timeline: Timeline
}

export interface DeliveryRetry {
  id: string
  channel: RetryChannel | null
  provider: string | null
  failure: string | null
  // A day in Seoul.
  from: string
  // A day in Seoul.
  to: string
  askedBy: string
  // Null for callers who may not retry.
  why: string | null
  createdAt: string
  status: DeliveryRetryStatus
  endedAt: string | null
  endedBy: string | null
  total: number
  queued: number
  skipped: SkippedMessages[]
  // Not looked at yet.
  left: number
}

export type DeliveryRetryStatus = 'running' | 'stopped' | 'done'

export type DeliveryStatus = 'queued' | 'accepted' | 'delivered' | 'failed' | 'unknown'

export interface DescribedDay {
  day: string
  throughId: string
  movements: number
  // Of these, how many belong to earlier days.
  corrections: number
  closedAt: string
  closedBy: string
  hash: string
  // Won. The first is of all partners together.
  cards: CardEquation[]
  accounts: DayAccount[]
  lines: DayLine[]
}

export interface DevicesDistrusted {
  devices: number
  // Sessions that ended with them.
  sessions: number
}

export type DifferenceRow = 'transfer' | 'card' | 'account'

export type DifferenceUnit =
  | 'won'
  | 'won_change'
  | 'points'
  | 'points_change'
  | 'won_per_gram'
  | 'basis_points'
  | 'seconds'
  | 'yes_no'
  | 'text'

export interface DistrustDevices {
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
  device?: string
}

export interface DueStatement {
  partner: string
  from: string
  // The first day after the period.
  to: string
}

export interface EndSessions {
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
  session?: string
}

export interface ErasedData {
  lines: ErasedLine[]
}

export interface ErasedLine {
  kind: DataKind
  what: WordsInBoth
  outcome: ErasureOutcome
  until: string | null
  kept: WordsInBoth
  why: WordsInBoth
}

export type ErasureOutcome = 'erased' | 'kept'

export interface ErrorMessage {
  error: string
}

export interface ExpiringFigure {
  days: number
  // A day in Seoul.
  from: string
  // A day in Seoul.
  through: string
  cards: number
  // Won.
  won: number
}

export interface ExtensionPreview {
  possible: boolean
  refusal: ExtensionRefusal | null
  fromDay: string | null
  toDay: string | null
  // The policy's version.
  policy: string | null
}

export type ExtensionRefusal = 'used' | 'voided' | 'expired' | 'extended' | 'not_extendable'

export type FailureChannel = 'alimtalk' | 'text'

export interface FailureFigure {
  channel: FailureChannel
  status: FailureStatus
  // Empty if none was chosen.
  provider: string
  reason: string
  messages: number
  // An operator can repair the cause.
  mendable: boolean
}

export type FailureStatus = 'failed' | 'unknown'

export interface FeedHealth {
  metal: string
  // Seconds.
  ageSeconds: number
  // Readings not believed since the service started.
  heldBack: number
}

export interface FieldDifference {
  field: string
  // Null: there was none.
  before: string | null
  after: string
  unit: DifferenceUnit
}

export type FigureKind = 'won' | 'count' | 'text'

export type FilterKind = 'choice' | 'won' | 'days' | 'partner' | 'phone' | 'name' | 'id' | 'text'

export interface FirstPasskey {
  // What follows the # in the link's address.
  link: string
  credential: MadeCredential
}

export interface FirstPassword {
  // What follows the # in the link's address.
  link: string
  password: string
  // Six digits of the authenticator app, or a recovery code.
  code: string
}

export interface FirstSignIn {
  session: ConsoleSession
  // Shown once. Each is good once.
  recoveryCodes: string[]
}

export interface HandPrice {
  at: string
  // Won per gram.
  wonPerGram: number
  askedBy: string
  approvedBy: string | null
  reason: string
}

export interface HedgeGap {
  metal: BullionMetal
  // Grams with four places.
  members: string
  // Grams with four places.
  house: string
  // Grams. Above zero: the house holds too little.
  gap: string
  wonPerGram: number | null
  priceAgeSeconds: number | null
  gapWon: number | null
}

export type HitKind =
  | 'card'
  | 'member'
  | 'user'
  | 'partner'
  | 'order'
  | 'withdrawal'
  | 'approval'
  | 'staff'
  | 'request'

export type HolderKind = 'member' | 'user'

export interface Holding {
  // The partner of a link that the member has not decided on. Null: the member’s own.
  through: string | null
  // Won.
  points: number
  // Won.
  deposit: number
  goldGrams: string
  silverGrams: string
}

export interface InvalidPart {
  // JSON pointer into the body.
  pointer?: string
  parameter?: string
  header?: string
  detail: string
}

export interface InvitedStaff {
  staff: StaffMember
  // Shown once.
  link: string
  expiresAt: string
  // The role waits for a second person.
  waiting: boolean
}

export type KeyFormat = 'uuid' | 'custom'

export interface KeyIssued {
  id: string
  // Shown this once: only its hash is stored.
  key: string
  replaces: string | null
  oldEndsAt: string | null
}

export interface KeyPatternTest {
  keyFormat: KeyFormat
  keyPattern: string | null
  key: string
}

export interface KeyPatternTested {
  matches: boolean
  // Null if it matches.
  why: NoMatch | null
}

export interface KeyRevocation {
  // How long the old key works on.
  afterMinutes: number
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface KeyRevoked {
  id: string
  endsAt: string
}

export interface KeyRotation {
  // How long the old key works on.
  overlapMinutes: number
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface KeyWanted {
  label: string
  scopes: Scope[]
  networks: string[]
  expiresInDays: number | null
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export type KnownPayment = 'booked' | 'waiting'

export type LinkStatus = 'active' | 'suspended' | 'refused' | 'frozen'

export interface ListChoice {
  value: string
  names: Names
}

export interface ListColumn {
  name: string
  kind: ColumnKind
  names: Names
  sort: string | null
  sortNeeds: string | null
  choices: ListChoice[]
}

export interface ListDefinition {
  list: ListName
  names: Names
  filters: ListFilter[]
  // The first is the default, newest first.
  sorts: string[]
  // In the order of the cells of a row.
  columns: ListColumn[]
  sum: Names | null
  mayExport: boolean
}

export interface ListFigure {
  count: number
  // False: there are more, or may be. Ask for the exact figure.
  whole: boolean
  sum: number | null
  at: string
}

export interface ListFilter {
  name: string
  kind: FilterKind
  names: Names
  choices: ListChoice[]
}

export type ListName =
  | 'cards'
  | 'members'
  | 'users'
  | 'deliveries'
  | 'orders'
  | 'withdrawals'
  | 'audit'
  | 'notices'

export interface ListPage {
  rows: ListRow[]
  next: string | null
  previous: string | null
  lookedTo: string | null
  // As it was applied; `-` is newest first.
  sort: string
  at: string
}

export interface ListRow {
  id: string
  // Of its page, under /console.
  path: string
  cells: (string | number | null)[]
}

export interface Lists {
  lists: ListDefinition[]
  partners: string[]
}

export interface MadeCredential {
  // base64url.
  id: string
  // base64url.
  rawId: string
  type: 'public-key'
  response: AttestationResponse
}

export interface MadePasskey {
  credential: MadeCredential
}

export interface MaskedPerson {
  name: string | null
  birthday: string | null
  gender: string | null
  mdn: string | null
}

export interface MatchedBankFile {
  encoding: string
  rows: BankRow[]
}

export interface MemberConsent {
  termsId: string
  version: string | null
  agreed: boolean
  at: string
}

export interface MemberDevice {
  ref: string
  trustedAt: string
  seenAt: string
  ofLink: boolean
}

export interface MemberFreeze {
  frozenAt: string
  frozenBy: string
  thawedAt: string | null
  thawedBy: string | null
}

export interface MemberFrozen {
  memberId: string
  sessionsEnded: number
  withdrawalsHeld: number
}

export interface MemberGuesses {
  kind: string
  failures: number
  limit: number
  // The window in which they count.
  hours: number
}

export interface MemberLink {
  id: string
  // Code.
  partner: string
  partnerName: string
  // The partner's name for the person.
  partnerKey: string
  status: LinkStatus
  confirmed: boolean
  registeredAt: string
  registeredBy: string
  decidedAt: string | null
}

export interface MemberOrder {
  id: string
  at: string
  side: OrderSide
  metal: Metal
  grams: string
  // Won.
  price: number
  // Won.
  fee: number
  // Won.
  total: number
}

export interface MemberPage {
  memberId: string
  accountId: string | null
  loginId: string | null
  status: MemberStatus
  person: MaskedPerson
  joinedAt: string | null
  closedAt: string | null
  passwordChangedAt: string | null
  language: string | null
  withdrawalsStopped: boolean
  // The moment of this answer, and of its figures.
  now: string
  holdings: Holding[]
  links: MemberLink[]
  consents: MemberConsent[]
  sessions: MemberSession[]
  devices: MemberDevice[]
  passkeys: MemberPasskey[]
  freezes: MemberFreeze[]
  orders: MemberOrder[]
  withdrawals: MemberWithdrawal[]
  // Failed tries that still count against this member.
  guesses: MemberGuesses[]
  transfers: Transfers
  timeline: Timeline
}

export interface MemberPasskey {
  id: string
  createdAt: string
  lastUsedAt: string | null
  blockedAt: string | null
}

export interface MemberSession {
  id: string
  device: string
  // Of a web view.
  partner: string | null
  startedAt: string
  seenAt: string
}

export type MemberStatus = 'open' | 'closed' | 'none' | 'frozen'

export interface MemberWithdrawal {
  id: string
  requestedAt: string
  status: string
  // Won.
  amount: number
  bank: string
  // Masked.
  account: string
}

export type MessageLanguage = 'ko' | 'en'

export type Metal = 'gold' | 'silver'

export interface MetalGap {
  metal: string
  grams: string
  won: number | null
}

export interface MetalHealth {
  metal: string
  trading: MetalTrading
  wonPerGram: number | null
  ageSeconds: number | null
  // Seconds.
  maxAgeSeconds: number
}

export type MetalTrading = 'open' | 'stale' | 'stopped'

export interface Meter {
  name: MeterName
  names: ReportWords
  // Over the window of the law. The others are for information.
  statutory: boolean
  from: string
  to: string
  // Null: there is nothing to measure yet.
  won: number | null
  // Won.
  limit: number
  reached: boolean
}

export type MeterName = 'balance_average' | 'balance_now' | 'issued_last_year' | 'issued_this_year'

export interface MonthEnd {
  at: string
  month: string
  from: string
  // The first day after it.
  to: string
  today: string
  place: MonthPlace
  firstMonth: string | null
  // The month that can be closed next.
  next: string
  closed: ClosedMonth | null
  // Closed months, newest first.
  months: ClosedMonth[]
  // In the order in which they are done.
  items: MonthItem[]
  attemptedAt: string | null
  // Why a day of it was not closed when last tried.
  differences: DayDifference[]
  gaps: MetalGap[]
  verifiedAt: string | null
}

export interface MonthItem {
  kind: MonthItemKind
  state: MonthItemState
  count: number
  won: number | null
  // Days, partners, statements or metals: the first of them.
  names: string[]
}

export type MonthItemKind =
  | 'days_closed'
  | 'balances_even'
  | 'books_verified'
  | 'statements_closed'
  | 'partners_billed'
  | 'statements_sent'
  | 'statements_paid'
  | 'payments_assigned'
  | 'refunds_decided'
  | 'requests_decided'
  | 'withdrawals_paid'
  | 'metal_covered'
  | 'corrections'

export type MonthItemState = 'done' | 'warns' | 'blocks'

export type MonthPlace = 'closed' | 'not_over' | 'before_first' | 'out_of_order' | 'next'

export interface MonthToClose {
  month: string
}

export interface MonthWarning {
  kind: MonthItemKind
  count: number
}

export interface Names {
  ko: string
  en: string
}

export interface Need {
  kind: NeedKind
  count: number | null
  names: string[]
  seconds: number | null
  won: number | null
}

export type NeedKind =
  | 'writes_fail'
  | 'books_broken'
  | 'restoration_unverified'
  | 'backup_archive_given_up'
  | 'guessing'
  | 'worker_not_running'
  | 'messages_not_sent'
  | 'provider_down'
  | 'prices_stale'
  | 'trading_stopped'
  | 'backup_archive_fails'
  | 'books_not_verified'
  | 'restoration_messages_held'
  | 'safeguard_short'
  | 'credit_95'
  | 'credit_untold'
  | 'approvals_open'
  | 'withdrawals_to_approve'
  | 'withdrawals_to_pay'
  | 'messages_fail'
  | 'credit_80'
  | 'backup_old'
  | 'figures_lag'

export interface NewPartnerContact {
  name: string
  phone: string | null
  email: string | null
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface NewPartnerTerms {
  name: string
  status?: PartnerStatus
  keyFormat?: KeyFormat
  keyPattern?: string | null
  amountMin?: number
  amountMax?: number
  validityMonths?: number
  creditLimit?: number
  // Requests a second; 0 for no limit.
  rateLimit?: number
  // Whether calls without a key are allowed in live.
  keyless?: boolean
  networks?: string[]
  singleUseHashKeys?: boolean
  frameAncestors?: string[]
  senderName?: string | null
  messageLanguage?: MessageLanguage
}

export interface NewPassword {
  password: string
  // Six digits of the authenticator app, or a recovery code.
  code: string
}

export interface NewStaff {
  email: string
  name: string
  role: Role
  // The code, for a role of its staff.
  partner?: string
}

export type NoMatch =
  | 'pattern_invalid'
  | 'key_empty'
  | 'key_too_long'
  | 'not_plain_text'
  | 'no_match'
  | 'not_a_uuid'

export type ObjectKind =
  | 'card'
  | 'member'
  | 'partner'
  | 'user'
  | 'order'
  | 'delivery'
  | 'withdrawal'
  | 'request'
  | 'key'
  | 'api_request'

export interface ObjectRef {
  kind: ObjectKind
  id: string
}

export interface OfferedTotp {
  // In base 32, for those who cannot scan.
  secret: string
  // For a QR code.
  uri: string
}

export interface OneTimeLink {
  // What follows the # in the link's address.
  link: string
}

export interface OpenWithdrawal {
  id: string
  status: OpenWithdrawalStatus
  // Won.
  amount: number
  memberId: string
  requestedAt: string
  payableAfter: string
  // It is not paid before `payableAfter`.
  waits: boolean
  approvedBy: string | null
  approvedAt: string | null
  frozen: boolean
  // The caller approved it, so another person pays it.
  mine: boolean
}

export type OpenWithdrawalStatus = 'requested' | 'approved'

export interface OrderHolder {
  kind: HolderKind
  id: string
}

export interface OrderPage {
  id: string
  quoteId: string
  at: string
  side: OrderSide
  metal: Metal
  holder: OrderHolder
  grams: string
  // Won per gram, as the feed had it.
  reference: number
  // Won per gram, the spread included.
  price: number
  priceAt: string | null
  priceSource: string | null
  // Hundredths of a percent.
  spreadBps: number
  // Hundredths of a percent.
  feeBps: number
  // Won: price × grams, floored.
  value: number
  // Won: what a fraction of a won was rounded up by.
  rounding: number
  // Won: how much of value and rounding is the spread.
  spread: number
  // Won.
  fee: number
  // Won.
  total: number
  // Won.
  fromPoints: number
  // Won.
  fromDeposit: number
  // Won: the cost of the metal by moving average.
  cost: number
  // Of a sale: proceeds less cost.
  gain: number | null
  transfers: Transfer[]
  timeline: Timeline
}

export type OrderSide = 'buy' | 'sell'

export interface Overview {
  at: string
  today: DayFigures
  outstanding: CardFigure
  large: CardFigure
  expiring: ExpiringFigure[]
  counting: CountingFigure
  failures: FailureFigure[]
  metals: MetalHealth[]
  health: ServiceHealth
  // What needs a person now, the most pressing first.
  needs: Need[]
  wellSince: string | null
}

export interface OverviewDays {
  // Oldest first, today last.
  days: DayFigures[]
  // The partners with the most issued in these days, 20 at most.
  partners: PartnerFigures[]
}

export interface OwnAccount {
  passkeys: StaffPasskey[]
  canAddPasskey: boolean
  hasPassword: boolean
  // How many are left.
  recoveryCodes: number
  singleSignOn: boolean
  // The demo operator of a sandbox, who proves identity with a click.
  isDemo: boolean
  sessions: StaffSession[]
}

export interface PartnerBilling {
  legal?: PartnerLegalChange
  rate?: CommissionRate
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface PartnerChanged {
  code: string
  name: string
  status: PartnerStatus
  keyFormat: KeyFormat
  keyPattern: string | null
  amountMin: number
  amountMax: number
  validityMonths: number
  creditLimit: number
  // Requests a second; 0 for no limit.
  rateLimit: number
  // Whether calls without a key are allowed in live.
  keyless: boolean
  networks: string[]
  singleUseHashKeys: boolean
  frameAncestors: string[]
  senderName: string | null
  messageLanguage: MessageLanguage
  // Won that the partner owes now; negative: prepaid.
  owed: number
  // True: part of it waits for a second person.
  waiting: boolean
  requestId: string | null
}

export interface PartnerContact {
  id: string
  name: string
  phone: string | null
  email: string | null
}

export interface PartnerFigures {
  code: string
  name: string
  issued: number
  // Won.
  issuedWon: number
  used: number
  // Won.
  usedWon: number
}

export interface PartnerLegal {
  legalName: string
  businessNumber: string | null
  representative: string | null
  address: string | null
}

export interface PartnerLegalChange {
  legalName?: string
  businessNumber?: string
  representative?: string
  address?: string
}

export interface PartnerLine {
  code: string
  name: string
  status: PartnerStatus
  keyFormat: KeyFormat
  keyPattern: string | null
  amountMin: number
  amountMax: number
  validityMonths: number
  creditLimit: number
  // Requests a second; 0 for no limit.
  rateLimit: number
  // Whether calls without a key are allowed in live.
  keyless: boolean
  networks: string[]
  singleUseHashKeys: boolean
  frameAncestors: string[]
  senderName: string | null
  messageLanguage: MessageLanguage
  // Won that the partner owes now; negative: prepaid.
  owed: number
}

export interface PartnerList {
  partners: PartnerLine[]
  // The moment of these figures.
  now: string
}

export interface PartnerPage {
  code: string
  name: string
  status: PartnerStatus
  keyFormat: KeyFormat
  keyPattern: string | null
  amountMin: number
  amountMax: number
  validityMonths: number
  creditLimit: number
  // Requests a second; 0 for no limit.
  rateLimit: number
  // Whether calls without a key are allowed in live.
  keyless: boolean
  networks: string[]
  singleUseHashKeys: boolean
  frameAncestors: string[]
  senderName: string | null
  messageLanguage: MessageLanguage
  // Won that the partner owes now; negative: prepaid.
  owed: number
  // The moment of these figures.
  now: string
  keys: ApiKey[]
  // Won of cards that were issued and used, by month in Seoul, newest first.
  months: UsageMonth[]
  payments: PartnerPayment[]
  // Who is told. Masked.
  contacts: PartnerContact[]
  legal: PartnerLegal | null
  // By the day from which each holds, oldest first.
  rates: CommissionRate[]
  // Changes that wait for a second person.
  waiting: WaitingChange[]
  templates: TemplateUse[]
  timeline: Timeline
}

export interface PartnerPayment {
  id: string
  reference: string
  // Won.
  amount: number
  at: string
  reversedAt: string | null
  // Null for a partner's staff.
  by: string | null
}

export interface PartnerRegistered {
  code: string
  keyId: string
  // The first API key. Shown this once.
  key: string
  // True: part of it waits for a second person.
  waiting: boolean
  requestId: string | null
}

export interface PartnerRegistration {
  code: string
  terms: NewPartnerTerms
}

export interface PartnerStatement {
  number: string
  partner: string
  from: string
  // The first day after the period.
  to: string
  status: StatementStatus
  // Won.
  due: number
  // Won, VAT included.
  dueCommission: number
  // Won.
  paid: number
  // Won.
  open: number
  closedAt: string
  closedBy: string
  sentAt: string | null
  sentBy: string | null
  sentWay: string | null
  hash: string
}

export interface PartnerStatements {
  statements: PartnerStatement[]
  due: DueStatement[]
}

export type PartnerStatus = 'active' | 'suspended'

export interface PartnerTermsChange {
  changes: PartnerTermsChanges
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface PartnerTermsChanges {
  name?: string
  status?: PartnerStatus
  keyFormat?: KeyFormat
  keyPattern?: string | null
  amountMin?: number
  amountMax?: number
  validityMonths?: number
  creditLimit?: number
  // Requests a second; 0 for no limit.
  rateLimit?: number
  // Whether calls without a key are allowed in live.
  keyless?: boolean
  networks?: string[]
  singleUseHashKeys?: boolean
  frameAncestors?: string[]
  senderName?: string | null
  messageLanguage?: MessageLanguage
}

export interface PasskeyAlgorithm {
  type: 'public-key'
  alg: number
}

export interface PasskeyCreationOptions {
  challenge: string
  rp: RelyingParty
  user: PasskeyUser
  pubKeyCredParams: PasskeyAlgorithm[]
  // Milliseconds.
  timeout: number
  attestation: 'none'
  excludeCredentials: PasskeyDescriptor[]
  authenticatorSelection: AuthenticatorSelection
}

export interface PasskeyDescriptor {
  type: 'public-key'
  id: string
  transports: string[]
}

export interface PasskeyRequestOptions {
  challenge: string
  rpId: string
  // Milliseconds.
  timeout: number
  userVerification: 'required'
}

export interface PasskeyToMake {
  publicKey: PasskeyCreationOptions
}

export interface PasskeyToUse {
  publicKey: PasskeyRequestOptions
}

export interface PasskeyUser {
  id: string
  name: string
  displayName: string
}

export interface PaymentRequested {
  waiting: boolean
  requestId: string | null
}

export interface PaymentWish {
  // Won.
  amount: number
  // The bank's word for the payment. One payment of a partner, for good.
  reference: string
  // The partner may pay more than it owes.
  prepay: boolean
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export type Payout = 'points' | 'money'

export interface PayoutDestination {
  bank: string
  account: string
  holder: string
}

export interface PayoutReveal {
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export type Permission =
  | 'self.manage'
  | 'overview.read'
  | 'search.use'
  | 'cards.read'
  | 'cards.resend'
  | 'cards.void'
  | 'cards.extend'
  | 'refunds.request'
  | 'refund_policies.read'
  | 'refund_policies.change'
  | 'members.read'
  | 'members.reveal'
  | 'members.change'
  | 'members.freeze'
  | 'members.data'
  | 'adjustments.request'
  | 'users.read'
  | 'users.change'
  | 'partners.read'
  | 'partners.change'
  | 'keys.manage'
  | 'payments.request'
  | 'statements.read'
  | 'statements.close'
  | 'reports.read'
  | 'reports.person'
  | 'safeguards.request'
  | 'books.read'
  | 'books.close'
  | 'bullion.request'
  | 'requests.read'
  | 'deliveries.read'
  | 'deliveries.retry'
  | 'orders.read'
  | 'withdrawals.read'
  | 'withdrawals.settle'
  | 'withdrawals.reveal'
  | 'prices.read'
  | 'prices.change'
  | 'approvals.read'
  | 'approvals.decide'
  | 'audit.read'
  | 'audit.reveal'
  | 'audit.erase'
  | 'lists.export'
  | 'staff.read'
  | 'staff.change'

export interface PermissionRow {
  permission: Permission
  // The roles that have it.
  roles: Role[]
}

export interface Person {
  name: string
  birthday: string
  gender: string
  mdn: string
}

export interface PersonReport {
  // Member id, account id or login id.
  member: string
  from?: string
  // Included.
  to?: string
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface PersonReportFile {
  // Member id, account id or login id.
  member: string
  from?: string
  // Included.
  to?: string
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
  format: 'csv' | 'xlsx'
  language: 'ko' | 'en'
}

export interface PriceWish {
  wonPerGram: number
  // It is far from the last price, and right all the same.
  force?: boolean
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface Problem {
  // Address of the page that explains the code.
  type: string
  title: string
  status: number
  // Stable: switch on this.
  code: string
  requestId: string
  // Whom to ask, where only a person can help.
  contact?: string
  // Every bad part of the request, 32 at most.
  errors?: InvalidPart[]
}

export interface ProviderHealth {
  provider: string
  // `alimtalk`, `text`, or `notice` for texts to members.
  channel: string
  isDown: boolean
}

export type Purpose = 'gift' | 'resend' | 'reminder' | 'cancellation'

export interface QueueFigure {
  // `alimtalk`, `text`, or `notice` for texts to members.
  channel: string
  status: string
  count: number
  // Seconds.
  overdueSeconds: number
}

export interface ReasonGiven {
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface RecoveryCodes {
  // Shown once. Each is good once.
  recoveryCodes: string[]
}

export interface RefundHolder {
  memberId: string
  loginId: string | null
  name: string | null
}

export interface RefundPolicies {
  policies: RefundPolicy[]
  // A day in Seoul.
  today: string
}

export interface RefundPolicy {
  version: string
  // A day in Seoul.
  effectiveFrom: string
  cancelDays: number
  refundYears: number
  // Won.
  smallUpTo: number
  smallPercent: number
  largePercent: number
  pointsPercent: number
  extensionMonths: number
  noticeDays: number[]
}

export interface RefundPolicyWish {
  version: string
  // A day in Seoul.
  effectiveFrom: string
  // Its last day, before a later version.
  until?: string
  cancelDays?: number
  refundYears?: number
  // Won.
  smallUpTo?: number
  smallPercent?: number
  largePercent?: number
  pointsPercent?: number
  extensionMonths?: number
  noticeDays?: number[]
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface RefundQuote {
  quoteId: string
  member: RefundHolder
  payout: Payout
  // Won.
  face: number
  // What the policy gives back of the face value.
  percent: number
  // Won. Rounded down: a fraction of a won is the member’s.
  deduction: number
  // Won: face − deduction.
  total: number
  // The policy's version.
  policy: string
  // A day in Seoul.
  policyFrom: string
  // A day in Seoul.
  refundableUntil: string
  expiresAt: string
}

export interface RefundWish {
  // Login id, member id or account id.
  member: string
  payout: Payout
}

export interface RelyingParty {
  id: string
  name: string
}

export interface Report {
  name: ReportName
  names: ReportWords
  from: string
  // Included.
  to: string
  at: string
  // The closed day that it stands for; null if it is not made of closed days.
  closed: ReportClosed | null
  meters: Meter[]
  figures: ReportFigure[]
  columns: ReportColumn[]
  // The last 500; the file has all.
  rows: ReportRow[]
  rowCount: number
  // False: there are more rows than a file can hold.
  complete: boolean
  notes: ReportWords[]
  sources: ReportSource[]
}

export type ReportCellKind = 'day' | 'moment' | 'won' | 'count' | 'number' | 'choice' | 'id' | 'text'

export interface ReportChoice {
  value: string
  names: ReportWords
}

export interface ReportClosed {
  day: string
  throughId: string
  hash: string
}

export interface ReportColumn {
  name: string
  kind: ReportCellKind
  names: ReportWords
  choices: ReportChoice[]
}

export interface ReportFigure {
  name: string
  kind: FigureKind
  names: ReportWords
  value: string | number | null
}

export interface ReportLine {
  name: ReportName
  names: ReportWords
  // It takes a member, a reason and fresh proof.
  ofAPerson: boolean
}

export type ReportName =
  | 'outstanding'
  | 'safeguarding'
  | 'safeguarded-funds'
  | 'refunds'
  | 'expiry-notices'
  | 'ci-use'
  | 'transactions'

export interface ReportRow {
  cells: (string | number | null)[]
}

export interface ReportSource {
  // As it was sent to PostgreSQL.
  sql: string
  values: string[]
}

export interface ReportWords {
  ko: string
  en: string
}

export interface Reports {
  reports: ReportLine[]
}

export type RequestAudience = 'partner' | 'member' | 'console' | 'none'

export interface RequestRefusal {
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface RequestedStaffRole {
  waiting: true
  requestId: string
}

export interface ResendPreview {
  possible: boolean
  refusal: ResendRefusal | null
  retryAfterSeconds: number | null
  channels: Channel[]
  // Masked.
  recipient: string
}

export type ResendRefusal = 'not_found' | 'not_valid' | 'on_its_way' | 'too_soon' | 'too_often'

export interface RestorationHealth {
  unverified: number
  messagesHeld: number
  silent: number
}

export interface RetentionOfKind {
  kind: DataKind
  what: WordsInBoth
  kept: WordsInBoth
  why: WordsInBoth
  job: string | null
  tables: string[]
}

export interface RetentionTable {
  kinds: RetentionOfKind[]
}

export type RetryChannel = 'alimtalk' | 'text'

export interface RetryMany {
  // The reason that the messages failed for.
  failure?: string
  provider?: string
  channel?: RetryChannel
  // A day in Seoul.
  from: string
  // A day in Seoul.
  to: string
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface RetryQueued {
  cardId: string
  channel: RetryChannel
}

export interface RetryStarted {
  id: string
  total: number
}

export interface RetryStopped {
  stopped: boolean
}

export interface RevealedPerson {
  person: Person | null
  // The page hides it again by then.
  hideAfterSeconds: number
}

export interface ReversalWish {
  // The bank's word for the payment. One payment of a partner, for good.
  reference: string
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export type Role =
  | 'admin'
  | 'finance'
  | 'support'
  | 'viewer'
  | 'partner_manager'
  | 'partner_developer'
  | 'partner_viewer'

export interface RoleSummary {
  role: Role
  // Sees what belongs to one partner only.
  ofPartner: boolean
}

export interface Roles {
  roles: RoleSummary[]
  permissions: PermissionRow[]
}

export type SafeguardMethod = 'trust' | 'deposit' | 'guarantee'

export interface SafeguardedFund {
  institution: string
  method: SafeguardMethod
  // The day at whose end it was held.
  asOf: string
  won: number
  reference: string
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export type Scope = 'giftcards:buy' | 'giftcards:read' | 'usage:read' | 'users:write' | 'users:read'

export interface SearchAnswer {
  hits: SearchHit[]
  list: SearchList | null
  // It is the id of a request. What it was about is the first hit. Without a hit it is not recorded, or not any more.
  isRequestId: boolean
  // How long requests are recorded.
  requestsKeptDays: number
}

export interface SearchHit {
  kind: HitKind
  title: string
  // Of its page, under /console.
  path: string
}

export interface SearchList {
  list: ListName
  // The filters, as in the address of the list.
  query: string
}

export interface SeenOfAccount {
  uid: number | null
  loginUid: number | null
  sudoUid: number | null
  atTerminal: boolean
}

export interface ServiceHealth {
  worker: string | null
  writesFail: boolean
  providers: ProviderHealth[]
  queue: QueueFigure[]
  prices: FeedHealth[]
  // Kinds of guesses whose alarm is on.
  alarms: string[]
  verification: VerificationHealth
  backup: BackupHealth | null
  restoration: RestorationHealth | null
}

export interface SessionsEnded {
  ended: number
}

export interface SignIn {
  email: string
  password: string
  // Six digits of the authenticator app, or a recovery code.
  code: string
}

export interface SignedInStaff {
  email: string
  name: string
  role: Role
}

export interface SkippedMessages {
  reason: string
  messages: number
}

export interface StaffList {
  staff: StaffMember[]
}

export interface StaffMember {
  id: string
  email: string
  name: string
  role: Role
  partner: string | null
  status: StaffStatus
  signsInWith: StaffWay[]
  // Accounts of machines that are this person (`operator bind`).
  accounts: string[]
  seenAt: string | null
  createdAt: string
}

export interface StaffPasskey {
  id: string
  name: string
  // A copy of it may be about: it no longer signs in.
  blocked: boolean
  createdAt: string
  lastUsedAt: string | null
}

export interface StaffPasskeyName {
  name: string
}

export interface StaffReason {
  reason: string
}

export interface StaffRoleRequest {
  role: Role
  reason: string
}

export interface StaffSession {
  id: string
  device: string
  address: string | null
  startedAt: string
  seenAt: string
  isThis: boolean
}

export type StaffStatus = 'active' | 'suspended'

export type StaffWay = 'passkey' | 'password' | 'single_sign_on'

export interface StatementDraft {
  // Won.
  due: number
  rows: StatementRow[]
}

export interface StatementPage {
  statement: PartnerStatement
  rows: StatementRow[]
}

export interface StatementPayment {
  won: number
  reference: string
  // It may be more than is owed.
  prepay: boolean
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface StatementRow {
  section: string
  item: string
  detail: string
  won: number | null
  cards: number | null
}

export interface StatementSent {
  way: string
}

export type StatementStatus = 'closed' | 'sent' | 'paid'

export interface TemplateIdOf {
  provider: TemplateProvider
  purpose: TemplatePurpose
  language: MessageLanguage
  version: number
  // Null removes it.
  templateId: string | null
}

export type TemplateProvider = 'solapi' | 'nhn'

export type TemplatePurpose = 'gift' | 'reminder' | 'cancellation'

export interface TemplateUse {
  // Null: for every partner.
  partner: string | null
  provider: string
  purpose: string
  language: string
  version: number
  templateId: string
}

export interface TermsChange {
  spreadBps?: number
  feeBps?: number
  maxAgeSeconds?: number
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface TermsEntry {
  // Hundredths of a percent.
  spreadBps: number
  // Hundredths of a percent.
  feeBps: number
  // Trading stops when the newest price is older.
  maxAgeSeconds: number
  at: string
  stopped: boolean
  setBy: string
  askedBy: string | null
  reason: string | null
}

export interface Timeline {
  events: TimelineEvent[]
  // Where the next page begins.
  next: string | null
}

export interface TimelineDetail {
  name: string
  value: string
}

export interface TimelineEvent {
  at: string
  source: TimelineSource
  what: string
  // Who; null if the service did it.
  by: string | null
  // Where from, as far as it is known. Empty for a reader who may not know.
  from: TimelineDetail[]
  details: TimelineDetail[]
  object: ObjectRef | null
}

export type TimelineSource = 'state' | 'money' | 'message' | 'audit' | 'request'

export type TradedMetal = 'XAU' | 'XAG'

export interface TradingResume {
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface TradingStop {
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
}

export interface Transfer {
  id: string
  kind: string
  at: string
  asset: Asset
  // In `unit`.
  amount: string
  unit: Unit
  // The id that all transfers of one act share.
  act: string
  cardId: string | null
  from: TransferAccount
  to: TransferAccount
}

export interface TransferAccount {
  // Null where it may not be known.
  id: string | null
  kind: string
  owner: ObjectRef | null
}

export interface Transfers {
  // Newest first.
  transfers: Transfer[]
  // Where the next page begins.
  next: string | null
}

export interface TrialAccount {
  account: string
  partner: string | null
  // In `unit`.
  debit: string
  // In `unit`.
  credit: string
}

export interface TrialAsset {
  asset: string
  unit: Unit
  // In `unit`.
  debit: string
  // In `unit`.
  credit: string
  isEven: boolean
  accounts: TrialAccount[]
}

export interface TrialBalance {
  at: string
  // The newest transfer when it was made.
  position: string
  // The closed day that it was made from.
  from: string | null
  assets: TrialAsset[]
}

export type Unit = 'KRW' | 'g'

export interface UsageMonth {
  month: string
  // Won.
  issued: number
  // Won.
  used: number
}

export interface UsedCredential {
  // base64url.
  id: string
  // base64url.
  rawId: string
  type: 'public-key'
  response: AssertionResponse
}

export interface UsedPasskey {
  credential: UsedCredential
}

export interface UserConsent {
  termsId: string
  agreed: boolean
  at: string
}

export interface UserHashKey {
  issuedAt: string
  expiresAt: string
  usedAt: string | null
}

export interface UserPage {
  id: string
  // Code.
  partner: string
  partnerName: string
  // The partner's name for the person.
  partnerKey: string
  status: LinkStatus
  confirmed: boolean
  registeredAt: string
  registeredBy: string
  decidedAt: string | null
  // The member behind it. Null for a partner's staff.
  memberId: string | null
  person: MaskedPerson
  detailsAt: string
  now: string
  consents: UserConsent[]
  // Of the last day. The keys themselves are stored nowhere.
  hashKeys: UserHashKey[]
  // Of what the link itself holds, until it is confirmed.
  transfers: Transfer[]
  timeline: Timeline
}

export interface UserStatus {
  id: string
  status: string | null
}

export interface VerificationHealth {
  ok: boolean | null
  // Seconds.
  ageSeconds: number
}

export interface VoidPreview {
  possible: boolean
  refusal: VoidRefusal | null
  // Won.
  amount: number
  // It takes a second person.
  waits: boolean
  // Won that the partner owes now; negative: prepaid.
  owed: number
  // The same after the act.
  owedAfter: number
  // Messages that have not left and would be withdrawn.
  withdrawn: number
  // Where the recipient would be told.
  told: Channel[]
}

export type VoidRefusal = 'used' | 'voided' | 'expired'

export interface WaitingApprovals {
  // Oldest first.
  requests: ApprovalRequest[]
  // To approve or to pay; oldest first.
  withdrawals: OpenWithdrawal[]
}

export interface WaitingBullion {
  id: string
  metal: BullionMetal
  reference: string
  askedBy: string
}

export interface WaitingChange {
  id: string
  kind: string
  maker: string
  createdAt: string
}

export interface WaysIn {
  // Browsers refuse passkeys on an IP address: false there.
  passkeys: boolean
  singleSignOn: boolean
  // A demo operator: in a sandbox, to a browser on this machine.
  demo: boolean
}

export interface WelcomedStaff {
  email: string
  name: string
  role: Role
  expiresAt: string
  // Browsers refuse passkeys on an IP address: false there.
  passkeys: boolean
}

export type WithdrawalAct = 'approve' | 'pay' | 'refuse'

export interface WithdrawalActBody {
  // Why. It goes into the audit log; put no personal data into it.
  reason: string
  // Of a refusal: the bank has not sent it. Needed for an approved one of a frozen member.
  notSent?: boolean
}

export interface WithdrawalEvent {
  at: string
  what: string
  by: string | null
  details: WithdrawalEventDetail[]
  // Of the request of an API that it was.
  requestId: string | null
}

export interface WithdrawalEventDetail {
  name: string
  value: string
}

export type WithdrawalStatus = 'requested' | 'approved' | 'paid' | 'cancelled' | 'refused'

export interface WordsInBoth {
  ko: string
  en: string
}

// The `code` of a problem.
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'credit_limit_exceeded'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'request_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'too_many_requests'
  | 'headers_too_large'
  | 'internal_error'
  | 'service_unavailable'
  | 'wrong_login'
  | 'passkey_failed'
  | 'step_up_required'
  | 'account_frozen'
  | 'under_age'
  | 'not_eligible'
  | 'card_not_registered'
  | 'card_used'
  | 'card_already_yours'
  | 'card_expired'
  | 'card_cancelled'
  | 'card_refunded'
  | 'card_still_valid'
  | 'refund_too_late'
  | 'card_not_extendable'
  | 'pin_mistyped'
  | 'wrong_code'
  | 'identity_failed'
  | 'other_person'
  | 'account_holder_differs'
  | 'weak_password'
  | 'login_id_taken'
  | 'already_member'
  | 'quote_expired'
  | 'insufficient_balance'
  | 'withdrawals_stopped'
  | 'assets_remain'
  | 'amount_too_small'
  | 'prices_stale'
  | 'trading_stopped'
  | 'proof_required'

export interface Operations {
  // Who is signed in.
  consoleSession: {
    method: 'GET'
    url: '/session'
    answer: ConsoleSession
  }
  // Sign out.
  signOut: {
    method: 'POST'
    url: '/sign-out'
    answer: null
  }
  // How one can sign in.
  waysIn: {
    method: 'GET'
    url: '/sign-in'
    answer: WaysIn
  }
  // Sign in with a password and a code.
  signIn: {
    method: 'POST'
    url: '/sign-in'
    body: SignIn
    answer: ConsoleSession
  }
  // Sign in as the demo operator.
  signInAsDemo: {
    method: 'POST'
    url: '/sign-in/demo'
    answer: ConsoleSession
  }
  // What the browser needs to ask for a passkey.
  beginPasskeySignIn: {
    method: 'POST'
    url: '/sign-in/passkey/options'
    answer: PasskeyToUse
  }
  // Sign in with a passkey.
  signInWithPasskey: {
    method: 'POST'
    url: '/sign-in/passkey'
    body: UsedPasskey
    answer: ConsoleSession
  }
  // Whose one-time link it is.
  welcome: {
    method: 'POST'
    url: '/welcome'
    body: OneTimeLink
    answer: WelcomedStaff
  }
  // What the browser needs to make a passkey.
  beginFirstPasskey: {
    method: 'POST'
    url: '/welcome/passkey/options'
    body: OneTimeLink
    answer: PasskeyToMake
  }
  // Choose the passkey that the browser made, and sign in.
  chooseFirstPasskey: {
    method: 'POST'
    url: '/welcome/passkey'
    body: FirstPasskey
    answer: ConsoleSession
  }
  // A secret for the authenticator app.
  beginFirstPassword: {
    method: 'POST'
    url: '/welcome/totp'
    body: OneTimeLink
    answer: OfferedTotp
  }
  // Choose a password and an authenticator app, and sign in.
  chooseFirstPassword: {
    method: 'POST'
    url: '/welcome/password'
    body: FirstPassword
    answer: FirstSignIn
  }
  // Prove identity again with a code.
  proveByCode: {
    method: 'POST'
    url: '/session/proof'
    body: CodeProof
    answer: ConsoleSession
  }
  // What the browser needs to ask for a passkey.
  beginPasskeyProof: {
    method: 'POST'
    url: '/session/proof/passkey/options'
    answer: PasskeyToUse
  }
  // Prove identity again with a passkey.
  proveByPasskey: {
    method: 'POST'
    url: '/session/proof/passkey'
    body: UsedPasskey
    answer: ConsoleSession
  }
  // The demo operator of a sandbox, who has nothing to prove it with.
  proveAsDemo: {
    method: 'POST'
    url: '/session/proof/demo'
    answer: ConsoleSession
  }
  // The own ways in and sessions.
  ownAccount: {
    method: 'GET'
    url: '/account'
    answer: OwnAccount
  }
  // End one of the own sessions.
  endOwnSession: {
    method: 'POST'
    url: '/account/sessions/:sessionId/end'
    params: {
      sessionId: string
    }
    answer: OwnAccount
  }
  // End all of the own sessions but this one.
  endOtherSessions: {
    method: 'POST'
    url: '/account/sessions/end-others'
    answer: OwnAccount
  }
  // What the browser needs to make a passkey.
  beginOwnPasskey: {
    method: 'POST'
    url: '/account/passkeys/options'
    answer: PasskeyToMake
  }
  // Add the passkey that the browser made.
  addOwnPasskey: {
    method: 'POST'
    url: '/account/passkeys'
    body: MadePasskey
    answer: OwnAccount
  }
  // Give a passkey another name.
  renameOwnPasskey: {
    method: 'POST'
    url: '/account/passkeys/:passkeyId'
    params: {
      passkeyId: string
    }
    body: StaffPasskeyName
    answer: OwnAccount
  }
  // Remove a passkey.
  removeOwnPasskey: {
    method: 'DELETE'
    url: '/account/passkeys/:passkeyId'
    params: {
      passkeyId: string
    }
    answer: OwnAccount
  }
  // A secret for the authenticator app.
  beginOwnPassword: {
    method: 'POST'
    url: '/account/totp'
    answer: OfferedTotp
  }
  // Set a password and an authenticator app.
  setOwnPassword: {
    method: 'POST'
    url: '/account/password'
    body: NewPassword
    answer: RecoveryCodes
  }
  // Remove the password.
  removeOwnPassword: {
    method: 'DELETE'
    url: '/account/password'
    answer: OwnAccount
  }
  // New recovery codes.
  renewRecoveryCodes: {
    method: 'POST'
    url: '/account/recovery-codes'
    answer: RecoveryCodes
  }
  // The people who work in the console.
  listStaff: {
    method: 'GET'
    url: '/staff'
    answer: StaffList
  }
  // Add a person.
  addStaff: {
    method: 'POST'
    url: '/staff'
    body: NewStaff
    answer: InvitedStaff
  }
  // Keep a person out.
  suspendStaff: {
    method: 'POST'
    url: '/staff/:staffId/suspend'
    params: {
      staffId: string
    }
    body: StaffReason
    answer: StaffMember
  }
  // Let a suspended person in again.
  resumeStaff: {
    method: 'POST'
    url: '/staff/:staffId/resume'
    params: {
      staffId: string
    }
    body: StaffReason
    answer: StaffMember
  }
  // End a person's sessions.
  endStaffSessions: {
    method: 'POST'
    url: '/staff/:staffId/end-sessions'
    params: {
      staffId: string
    }
    body: StaffReason
    answer: StaffMember
  }
  // Ask for another role.
  requestStaffRole: {
    method: 'POST'
    url: '/staff/:staffId/role'
    params: {
      staffId: string
    }
    body: StaffRoleRequest
    answer: RequestedStaffRole
  }
  // What each role may do.
  roles: {
    method: 'GET'
    url: '/roles'
    answer: Roles
  }
  // What is going on, and what needs a person.
  overview: {
    method: 'GET'
    url: '/overview'
    answer: Overview
  }
  // Figures by day.
  overviewDays: {
    method: 'GET'
    url: '/overview/days'
    query: {
      days?: '7' | '30' | '365'
      // Code of a partner: cards of this one only.
      partner?: string
    }
    answer: OverviewDays
  }
  // Failures by reason and provider, and retries.
  deliveryHealth: {
    method: 'GET'
    url: '/delivery-health'
    query: {
      days?: '1' | '7' | '30'
    }
    answer: DeliveryHealth
  }
  // Send a failed message again.
  retryDelivery: {
    method: 'POST'
    url: '/deliveries/:deliveryId/retry'
    params: {
      deliveryId: string
    }
    body: ReasonGiven
    answer: RetryQueued
  }
  // Send many failed messages again.
  retryDeliveries: {
    method: 'POST'
    url: '/delivery-retries'
    body: RetryMany
    answer: RetryStarted
  }
  // Stop a retry of many messages.
  stopDeliveryRetry: {
    method: 'POST'
    url: '/delivery-retries/:retryId/stop'
    params: {
      retryId: string
    }
    body: ReasonGiven
    answer: RetryStopped
  }
  // The price feed and the terms of trading.
  consolePrices: {
    method: 'GET'
    url: '/prices'
    answer: ConsolePrices
  }
  // What a metal has cost.
  consolePriceHistory: {
    method: 'GET'
    url: '/prices/:metal/history'
    params: {
      metal: TradedMetal
    }
    query: {
      period?: '1d' | '1w' | '1m' | '1y'
    }
    answer: ConsolePriceHistory
  }
  // Change spread, fee or the age of a price.
  changeTerms: {
    method: 'POST'
    url: '/prices/:metal/terms'
    params: {
      metal: TradedMetal
    }
    body: TermsChange
    answer: ActAsked
  }
  // Ask for a price by hand.
  requestPrice: {
    method: 'POST'
    url: '/prices/:metal/price'
    params: {
      metal: TradedMetal
    }
    body: PriceWish
    answer: ActAsked
  }
  // Stop all trading.
  stopTrading: {
    method: 'POST'
    url: '/trading/stop'
    body: TradingStop
    answer: ActAsked
  }
  // Let trading go on.
  resumeTrading: {
    method: 'POST'
    url: '/trading/resume'
    body: TradingResume
    answer: ActAsked
  }
  // The lists, their filters, sorts and columns.
  lists: {
    method: 'GET'
    url: '/lists'
    answer: Lists
  }
  // A page of cards.
  listCards: {
    method: 'GET'
    url: '/lists/cards'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of issued, used, voided, expired.
      status?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      amount?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      issued?: string
      // Days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      expires?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      used?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      voided?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      expired?: string
      // A whole phone number.
      phone?: string
      // Of issued, expires, used, voided, expired; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many cards there are.
  figureOfCards: {
    method: 'GET'
    url: '/lists/cards/figure'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of issued, used, voided, expired.
      status?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      amount?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      issued?: string
      // Days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      expires?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      used?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      voided?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      expired?: string
      // A whole phone number.
      phone?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All cards of a filter as a file.
  exportCards: {
    method: 'GET'
    url: '/lists/cards/export'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of issued, used, voided, expired.
      status?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      amount?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      issued?: string
      // Days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      expires?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      used?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      voided?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      expired?: string
      // A whole phone number.
      phone?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // A page of members.
  listMembers: {
    method: 'GET'
    url: '/lists/members'
    query: {
      // A whole phone number.
      phone?: string
      // A whole name.
      name?: string
      // The whole text.
      login?: string
      // One or more, with commas. Of open, closed, none.
      account?: string
      // One or more, with commas. Of yes, no.
      frozen?: string
      // The code of a partner.
      partner?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      joined?: string
      // Of joined; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many members there are.
  figureOfMembers: {
    method: 'GET'
    url: '/lists/members/figure'
    query: {
      // A whole phone number.
      phone?: string
      // A whole name.
      name?: string
      // The whole text.
      login?: string
      // One or more, with commas. Of open, closed, none.
      account?: string
      // One or more, with commas. Of yes, no.
      frozen?: string
      // The code of a partner.
      partner?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      joined?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All members of a filter as a file.
  exportMembers: {
    method: 'GET'
    url: '/lists/members/export'
    query: {
      // A whole phone number.
      phone?: string
      // A whole name.
      name?: string
      // The whole text.
      login?: string
      // One or more, with commas. Of open, closed, none.
      account?: string
      // One or more, with commas. Of yes, no.
      frozen?: string
      // The code of a partner.
      partner?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      joined?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // A page of users.
  listUsers: {
    method: 'GET'
    url: '/lists/users'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of active, suspended, refused, frozen.
      status?: string
      // One or more, with commas. Of yes, no.
      confirmed?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      registered?: string
      // A whole phone number.
      phone?: string
      // A whole name.
      name?: string
      // The whole text.
      key?: string
      // Of registered; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many users there are.
  figureOfUsers: {
    method: 'GET'
    url: '/lists/users/figure'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of active, suspended, refused, frozen.
      status?: string
      // One or more, with commas. Of yes, no.
      confirmed?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      registered?: string
      // A whole phone number.
      phone?: string
      // A whole name.
      name?: string
      // The whole text.
      key?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All users of a filter as a file.
  exportUsers: {
    method: 'GET'
    url: '/lists/users/export'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of active, suspended, refused, frozen.
      status?: string
      // One or more, with commas. Of yes, no.
      confirmed?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      registered?: string
      // A whole phone number.
      phone?: string
      // A whole name.
      name?: string
      // The whole text.
      key?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // A page of deliveries.
  listDeliveries: {
    method: 'GET'
    url: '/lists/deliveries'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of queued, accepted, delivered, failed, unknown.
      status?: string
      // One or more, with commas. Of alimtalk, text.
      channel?: string
      // One or more, with commas. Of gift, resend, reminder, cancellation.
      purpose?: string
      // The whole text.
      reason?: string
      // The whole text.
      provider?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      created?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      settled?: string
      // An id.
      card?: string
      // Of created; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many deliveries there are.
  figureOfDeliveries: {
    method: 'GET'
    url: '/lists/deliveries/figure'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of queued, accepted, delivered, failed, unknown.
      status?: string
      // One or more, with commas. Of alimtalk, text.
      channel?: string
      // One or more, with commas. Of gift, resend, reminder, cancellation.
      purpose?: string
      // The whole text.
      reason?: string
      // The whole text.
      provider?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      created?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      settled?: string
      // An id.
      card?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All deliveries of a filter as a file.
  exportDeliveries: {
    method: 'GET'
    url: '/lists/deliveries/export'
    query: {
      // The code of a partner.
      partner?: string
      // One or more, with commas. Of queued, accepted, delivered, failed, unknown.
      status?: string
      // One or more, with commas. Of alimtalk, text.
      channel?: string
      // One or more, with commas. Of gift, resend, reminder, cancellation.
      purpose?: string
      // The whole text.
      reason?: string
      // The whole text.
      provider?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      created?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      settled?: string
      // An id.
      card?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // A page of orders.
  listOrders: {
    method: 'GET'
    url: '/lists/orders'
    query: {
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      at?: string
      // One or more, with commas. Of buy, sell.
      side?: string
      // One or more, with commas. Of XAU, XAG.
      metal?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      total?: string
      // An id.
      member?: string
      // Of at; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many orders there are.
  figureOfOrders: {
    method: 'GET'
    url: '/lists/orders/figure'
    query: {
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      at?: string
      // One or more, with commas. Of buy, sell.
      side?: string
      // One or more, with commas. Of XAU, XAG.
      metal?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      total?: string
      // An id.
      member?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All orders of a filter as a file.
  exportOrders: {
    method: 'GET'
    url: '/lists/orders/export'
    query: {
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      at?: string
      // One or more, with commas. Of buy, sell.
      side?: string
      // One or more, with commas. Of XAU, XAG.
      metal?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      total?: string
      // An id.
      member?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // A page of withdrawals.
  listWithdrawals: {
    method: 'GET'
    url: '/lists/withdrawals'
    query: {
      // One or more, with commas. Of requested, approved, paid, cancelled, refused.
      status?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      amount?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      requested?: string
      // The whole text.
      bank?: string
      // An id.
      member?: string
      // Of requested; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many withdrawals there are.
  figureOfWithdrawals: {
    method: 'GET'
    url: '/lists/withdrawals/figure'
    query: {
      // One or more, with commas. Of requested, approved, paid, cancelled, refused.
      status?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      amount?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      requested?: string
      // The whole text.
      bank?: string
      // An id.
      member?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All withdrawals of a filter as a file.
  exportWithdrawals: {
    method: 'GET'
    url: '/lists/withdrawals/export'
    query: {
      // One or more, with commas. Of requested, approved, paid, cancelled, refused.
      status?: string
      // Won: `50000`, `10000..50000`, `10000..`.
      amount?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      requested?: string
      // The whole text.
      bank?: string
      // An id.
      member?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // A page of audit.
  listAudit: {
    method: 'GET'
    url: '/lists/audit'
    query: {
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      at?: string
      // The whole text.
      actor?: string
      // The whole text.
      action?: string
      // The whole text.
      subject?: string
      // Of at; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many audit there are.
  figureOfAudit: {
    method: 'GET'
    url: '/lists/audit/figure'
    query: {
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      at?: string
      // The whole text.
      actor?: string
      // The whole text.
      action?: string
      // The whole text.
      subject?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All audit of a filter as a file.
  exportAudit: {
    method: 'GET'
    url: '/lists/audit/export'
    query: {
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      at?: string
      // The whole text.
      actor?: string
      // The whole text.
      action?: string
      // The whole text.
      subject?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // A page of notices.
  listNotices: {
    method: 'GET'
    url: '/lists/notices'
    query: {
      // One or more, with commas. Of queued, accepted, delivered, failed, unknown.
      status?: string
      // One or more, with commas. Of withdrawal, payout_account, stopped, password, phone, new_device, passkey_added, passkey_removed, passkey_blocked, credit_80, credit_95.
      purpose?: string
      // The whole text.
      reason?: string
      // The whole text.
      provider?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      created?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      settled?: string
      // An id.
      member?: string
      // Of created; with `-` newest first.
      sort?: string
      // `next` or `previous` of a page with the same filters and sort.
      cursor?: string
    }
    answer: ListPage
  }
  // How many notices there are.
  figureOfNotices: {
    method: 'GET'
    url: '/lists/notices/figure'
    query: {
      // One or more, with commas. Of queued, accepted, delivered, failed, unknown.
      status?: string
      // One or more, with commas. Of withdrawal, payout_account, stopped, password, phone, new_device, passkey_added, passkey_removed, passkey_blocked, credit_80, credit_95.
      purpose?: string
      // The whole text.
      reason?: string
      // The whole text.
      provider?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      created?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      settled?: string
      // An id.
      member?: string
      exact?: 'yes'
    }
    answer: ListFigure
  }
  // All notices of a filter as a file.
  exportNotices: {
    method: 'GET'
    url: '/lists/notices/export'
    query: {
      // One or more, with commas. Of queued, accepted, delivered, failed, unknown.
      status?: string
      // One or more, with commas. Of withdrawal, payout_account, stopped, password, phone, new_device, passkey_added, passkey_removed, passkey_blocked, credit_80, credit_95.
      purpose?: string
      // The whole text.
      reason?: string
      // The whole text.
      provider?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      created?: string
      // Seoul days: `2026-11-01`, `2026-11-01..2026-11-30`, `2026-11-01..`.
      settled?: string
      // An id.
      member?: string
      // As of the list.
      sort?: string
      format: 'csv' | 'xlsx'
      // Of names and states.
      lang?: 'ko' | 'en'
    }
    answer: string
  }
  // Find anything.
  search: {
    method: 'GET'
    url: '/search'
    query: {
      q: string
      // Look for a person by name or number, too. The page asks for it on Enter, not while somebody types.
      people?: 'yes'
    }
    answer: SearchAnswer
  }
  // One request of an API.
  apiRequest: {
    method: 'GET'
    url: '/requests/:apiRequestId'
    params: {
      apiRequestId: string
    }
    answer: ApiRequest
  }
  // How far the audit log is sealed, anchored and verified.
  auditChain: {
    method: 'GET'
    url: '/audit/chain'
    answer: AuditChain
  }
  // One entry of the audit log.
  auditEntry: {
    method: 'GET'
    url: '/audit/entries/:entryId'
    params: {
      entryId: string
    }
    answer: AuditEntry
  }
  // Open what a person typed into an entry, and where the act came from.
  revealAuditEntry: {
    method: 'POST'
    url: '/audit/entries/:entryId/reveal'
    params: {
      entryId: string
    }
    body: AuditReason
    answer: AuditPrivatePart
  }
  // Erase what a person typed into an entry, and where the act came from.
  eraseAuditEntry: {
    method: 'POST'
    url: '/audit/entries/:entryId/erase'
    params: {
      entryId: string
    }
    body: AuditReason
    answer: AuditErased
  }
  // One card.
  card: {
    method: 'GET'
    url: '/cards/:cardId'
    params: {
      // giftId, txId or card number.
      cardId: string
    }
    answer: CardPage
  }
  // What happened, further back.
  cardTimeline: {
    method: 'GET'
    url: '/cards/:cardId/timeline'
    params: {
      // giftId, txId or card number.
      cardId: string
    }
    query: {
      below?: string
    }
    answer: Timeline
  }
  // What sending a card again would do.
  previewResend: {
    method: 'GET'
    url: '/cards/:cardId/resend'
    params: {
      // giftId, txId or card number.
      cardId: string
    }
    answer: ResendPreview
  }
  // Send a card's messages again.
  resendCard: {
    method: 'POST'
    url: '/cards/:cardId/resend'
    params: {
      // giftId, txId or card number.
      cardId: string
    }
    body: ReasonGiven
    answer: CardResent
  }
  // What voiding a card would do.
  previewVoid: {
    method: 'GET'
    url: '/cards/:cardId/void'
    params: {
      // giftId, txId or card number.
      cardId: string
    }
    answer: VoidPreview
  }
  // Take an unused card back.
  voidCard: {
    method: 'POST'
    url: '/cards/:cardId/void'
    params: {
      // giftId, txId or card number.
      cardId: string
    }
    body: ReasonGiven
    answer: CardVoided
  }
  // Show why a partner cancelled a card.
  revealCancelReason: {
    method: 'POST'
    url: '/cards/:cardId/cancel-reason'
    params: {
      // giftId, txId or card number.
      cardId: string
    }
    body: ReasonGiven
    answer: CancelReason
  }
  // One member, masked.
  member: {
    method: 'GET'
    url: '/members/:memberId'
    params: {
      // Member id, account id or login id.
      memberId: string
    }
    answer: MemberPage
  }
  // What happened, further back.
  memberTimeline: {
    method: 'GET'
    url: '/members/:memberId/timeline'
    params: {
      // Member id, account id or login id.
      memberId: string
    }
    query: {
      below?: string
    }
    answer: Timeline
  }
  // What moved for a member, further back.
  memberTransfers: {
    method: 'GET'
    url: '/members/:memberId/transfers'
    params: {
      // Member id, account id or login id.
      memberId: string
    }
    query: {
      before: string
    }
    answer: Transfers
  }
  // Show who a member is.
  revealMember: {
    method: 'POST'
    url: '/members/:memberId/reveal'
    params: {
      // Member id, account id or login id.
      memberId: string
    }
    body: ReasonGiven
    answer: RevealedPerson
  }
  // Stop a member at once.
  freezeMember: {
    method: 'POST'
    url: '/members/:memberId/freeze'
    params: {
      // Member id, account id or login id.
      memberId: string
    }
    body: ReasonGiven
    answer: MemberFrozen
  }
  // End a freeze.
  thawMember: {
    method: 'POST'
    url: '/members/:memberId/thaw'
    params: {
      // Member id, account id or login id.
      memberId: string
    }
    body: ReasonGiven
    answer: MemberFrozen
  }
  // End one session of a member, or all.
  endMemberSessions: {
    method: 'POST'
    url: '/members/:memberId/end-sessions'
    params: {
      // Member id, account id or login id.
      memberId: string
    }
    body: EndSessions
    answer: SessionsEnded
  }
  // Trust one browser of a member no longer, or none.
  distrustDevices: {
    method: 'POST'
    url: '/members/:memberId/distrust-devices'
    params: {
      // Member id, account id or login id.
      memberId: string
    }
    body: DistrustDevices
    answer: DevicesDistrusted
  }
  // How long data is kept.
  retention: {
    method: 'GET'
    url: '/retention'
    answer: RetentionTable
  }
  // Everything about a member, as one file.
  exportMember: {
    method: 'POST'
    url: '/members/:memberId/export'
    params: {
      // Member id, account id or login id.
      memberId: string
    }
    body: ReasonGiven
    answer: DataFile
  }
  // Erase the data of a closed account, as far as the law allows.
  eraseMember: {
    method: 'POST'
    url: '/members/:memberId/erase'
    params: {
      // Member id, account id or login id.
      memberId: string
    }
    body: ReasonGiven
    answer: ErasedData
  }
  // All partners.
  partners: {
    method: 'GET'
    url: '/partners'
    answer: PartnerList
  }
  // Register a partner, with its first API key.
  registerPartner: {
    method: 'POST'
    url: '/partners'
    body: PartnerRegistration
    answer: PartnerRegistered
  }
  // One partner.
  partner: {
    method: 'GET'
    url: '/partners/:code'
    params: {
      code: string
    }
    answer: PartnerPage
  }
  // What happened, further back.
  partnerTimeline: {
    method: 'GET'
    url: '/partners/:code/timeline'
    params: {
      code: string
    }
    query: {
      below?: string
    }
    answer: Timeline
  }
  // Whether a user key matches a key pattern.
  testKeyPattern: {
    method: 'POST'
    url: '/partners/test-key-pattern'
    body: KeyPatternTest
    answer: KeyPatternTested
  }
  // Change a partner's terms.
  changePartner: {
    method: 'POST'
    url: '/partners/:code/terms'
    params: {
      code: string
    }
    body: PartnerTermsChange
    answer: PartnerChanged
  }
  // Record a provider's id of an approved template.
  setTemplate: {
    method: 'POST'
    url: '/partners/:code/templates'
    params: {
      code: string
    }
    body: TemplateIdOf
    answer: null
  }
  // Add a person who is told at a partner.
  addPartnerContact: {
    method: 'POST'
    url: '/partners/:code/contacts'
    params: {
      code: string
    }
    body: NewPartnerContact
    answer: null
  }
  // Remove a contact of a partner.
  removePartnerContact: {
    method: 'POST'
    url: '/partners/:code/contacts/:contactId/remove'
    params: {
      code: string
      contactId: string
    }
    body: ReasonGiven
    answer: null
  }
  // Issue an API key.
  issueKey: {
    method: 'POST'
    url: '/partners/:code/keys'
    params: {
      code: string
    }
    body: KeyWanted
    answer: KeyIssued
  }
  // Issue a key with the same rights, and end the old one after an overlap.
  rotateKey: {
    method: 'POST'
    url: '/keys/:keyId/rotate'
    params: {
      keyId: string
    }
    body: KeyRotation
    answer: KeyIssued
  }
  // Revoke an API key, now or after an overlap.
  revokeKey: {
    method: 'POST'
    url: '/keys/:keyId/revoke'
    params: {
      keyId: string
    }
    body: KeyRevocation
    answer: KeyRevoked
  }
  // One user of a partner, masked.
  user: {
    method: 'GET'
    url: '/users/:userId'
    params: {
      userId: string
    }
    answer: UserPage
  }
  // What happened, further back.
  userTimeline: {
    method: 'GET'
    url: '/users/:userId/timeline'
    params: {
      userId: string
    }
    query: {
      below?: string
    }
    answer: Timeline
  }
  // Close a user's link.
  suspendUser: {
    method: 'POST'
    url: '/users/:userId/suspend'
    params: {
      userId: string
    }
    body: ReasonGiven
    answer: UserStatus
  }
  // Open a suspended user's link again.
  resumeUser: {
    method: 'POST'
    url: '/users/:userId/resume'
    params: {
      userId: string
    }
    body: ReasonGiven
    answer: UserStatus
  }
  // Show what a partner told of a user.
  revealUser: {
    method: 'POST'
    url: '/users/:userId/reveal'
    params: {
      userId: string
    }
    body: ReasonGiven
    answer: RevealedPerson
  }
  // One order.
  order: {
    method: 'GET'
    url: '/orders/:orderId'
    params: {
      orderId: string
    }
    answer: OrderPage
  }
  // One message.
  delivery: {
    method: 'GET'
    url: '/deliveries/:deliveryId'
    params: {
      deliveryId: string
    }
    answer: DeliveryPage
  }
  // What waits for a second person.
  waitingApprovals: {
    method: 'GET'
    url: '/approvals'
    answer: WaitingApprovals
  }
  // What was decided, or expired.
  decidedApprovals: {
    method: 'GET'
    url: '/approvals/decided'
    query: {
      before?: string
    }
    answer: DecidedApprovals
  }
  // How many wait.
  countApprovals: {
    method: 'GET'
    url: '/approvals/count'
    answer: ApprovalCount
  }
  // One request.
  approval: {
    method: 'GET'
    url: '/approvals/:requestId'
    params: {
      requestId: string
    }
    answer: ApprovalRequest
  }
  // Approve what another person asked for.
  approveRequest: {
    method: 'POST'
    url: '/approvals/:requestId/approve'
    params: {
      requestId: string
    }
    body: Approval
    answer: ApprovalRequest
  }
  // Refuse a request, or take the own one back.
  refuseRequest: {
    method: 'POST'
    url: '/approvals/:requestId/refuse'
    params: {
      requestId: string
    }
    body: RequestRefusal
    answer: ApprovalRequest
  }
  // Ask to correct what a member holds.
  requestAdjustment: {
    method: 'POST'
    url: '/members/:memberId/adjustments'
    params: {
      memberId: string
    }
    body: Adjustment
    answer: ActAsked
  }
  // Ask to book a partner's payment.
  bookPayment: {
    method: 'POST'
    url: '/partners/:code/payments'
    params: {
      code: string
    }
    body: PaymentWish
    answer: ActAsked
  }
  // Ask to reverse a payment that was booked by mistake.
  reversePayment: {
    method: 'POST'
    url: '/partners/:code/payments/reverse'
    params: {
      code: string
    }
    body: ReversalWish
    answer: ActAsked
  }
  // Set a partner's company details, or ask for another commission.
  setBilling: {
    method: 'POST'
    url: '/partners/:code/billing'
    params: {
      code: string
    }
    body: PartnerBilling
    answer: ActAsked
  }
  // Until when a card would be valid if it were extended.
  previewExtension: {
    method: 'GET'
    url: '/cards/:cardId/extension'
    params: {
      // giftId, txId or card number.
      cardId: string
    }
    answer: ExtensionPreview
  }
  // Move the last day of a card, once.
  extendCard: {
    method: 'POST'
    url: '/cards/:cardId/extend'
    params: {
      // giftId, txId or card number.
      cardId: string
    }
    body: ReasonGiven
    answer: CardExtended
  }
  // What a refund of an expired card would give a member, line by line.
  quoteRefund: {
    method: 'POST'
    url: '/cards/:cardId/refund-quotes'
    params: {
      // giftId, txId or card number.
      cardId: string
    }
    body: RefundWish
    answer: RefundQuote
  }
  // Ask to refund a card as quoted.
  requestRefund: {
    method: 'POST'
    url: '/refund-quotes/:quoteId/refund'
    params: {
      quoteId: string
    }
    body: ReasonGiven
    answer: ActAsked
  }
  // The refund policies by version, newest first.
  refundPolicies: {
    method: 'GET'
    url: '/refund-policies'
    answer: RefundPolicies
  }
  // Ask for a new version of the refund policy.
  requestRefundPolicy: {
    method: 'POST'
    url: '/refund-policies'
    body: RefundPolicyWish
    answer: ActAsked
  }
  // The questions of the regulator.
  reports: {
    method: 'GET'
    url: '/reports'
    answer: Reports
  }
  // A question of the regulator, answered, with the queries behind it.
  report: {
    method: 'GET'
    url: '/reports/:report'
    params: {
      report: 'outstanding' | 'safeguarding' | 'safeguarded-funds' | 'refunds' | 'expiry-notices' | 'ci-use'
    }
    query: {
      from?: string
      // Included.
      to?: string
    }
    answer: Report
  }
  // The answer as a file, with all rows.
  reportFile: {
    method: 'GET'
    url: '/reports/:report/file'
    params: {
      report: 'outstanding' | 'safeguarding' | 'safeguarded-funds' | 'refunds' | 'expiry-notices' | 'ci-use'
    }
    query: {
      from?: string
      // Included.
      to?: string
      format: 'csv' | 'xlsx'
      language: 'ko' | 'en'
    }
    answer: string
  }
  // What one person did over a period.
  reportOfPerson: {
    method: 'POST'
    url: '/reports/transactions'
    body: PersonReport
    answer: Report
  }
  // What one person did over a period, as a file.
  reportFileOfPerson: {
    method: 'POST'
    url: '/reports/transactions/file'
    body: PersonReportFile
    answer: string
  }
  // Ask to record what an institution holds behind cards and points.
  requestSafeguardedFund: {
    method: 'POST'
    url: '/safeguarded-funds'
    body: SafeguardedFund
    answer: ActAsked
  }
  // One payout, masked.
  withdrawal: {
    method: 'GET'
    url: '/withdrawals/:withdrawalId'
    params: {
      withdrawalId: string
    }
    answer: ConsoleWithdrawal
  }
  // Approve a payout.
  approveWithdrawal: {
    method: 'POST'
    url: '/withdrawals/:withdrawalId/approve'
    params: {
      withdrawalId: string
    }
    body: WithdrawalActBody
    answer: ConsoleWithdrawal
  }
  // Record that an approved payout was paid, by another person.
  payWithdrawal: {
    method: 'POST'
    url: '/withdrawals/:withdrawalId/pay'
    params: {
      withdrawalId: string
    }
    body: WithdrawalActBody
    answer: ConsoleWithdrawal
  }
  // Refuse a payout: the won go back to the member.
  refuseWithdrawal: {
    method: 'POST'
    url: '/withdrawals/:withdrawalId/refuse'
    params: {
      withdrawalId: string
    }
    body: WithdrawalActBody
    answer: ConsoleWithdrawal
  }
  // The person and the account to pay.
  revealWithdrawal: {
    method: 'POST'
    url: '/withdrawals/:withdrawalId/reveal'
    params: {
      withdrawalId: string
    }
    body: PayoutReveal
    answer: PayoutDestination
  }
  // Partners' statements, and the periods that wait for one.
  statements: {
    method: 'GET'
    url: '/statements'
    answer: PartnerStatements
  }
  // Close a statement, for good.
  closeStatement: {
    method: 'POST'
    url: '/statements'
    body: ClosedPeriod
    answer: PartnerStatement
  }
  // A closed statement, from its stored data.
  statement: {
    method: 'GET'
    url: '/statements/:number'
    params: {
      number: string
    }
    answer: StatementPage
  }
  // A closed statement as a file, or as a page to print.
  statementFile: {
    method: 'GET'
    url: '/statements/:number/file'
    params: {
      number: string
    }
    query: {
      format: 'csv' | 'xlsx' | 'html'
    }
    answer: string
  }
  // A statement as it would be closed now.
  draftStatement: {
    method: 'GET'
    url: '/statements/draft'
    query: {
      partner: string
      from: string
      // The first day after the period.
      to: string
    }
    answer: StatementDraft
  }
  // Record that the partner was given it.
  sendStatement: {
    method: 'POST'
    url: '/statements/:number/send'
    params: {
      number: string
    }
    body: StatementSent
    answer: PartnerStatement
  }
  // Ask to book a payment of it, which a second person approves.
  requestStatementPayment: {
    method: 'POST'
    url: '/statements/:number/payments'
    params: {
      number: string
    }
    body: StatementPayment
    answer: PaymentRequested
  }
  // Compare a bank's CSV file with open statements.
  matchBankFile: {
    method: 'POST'
    url: '/bank-file'
    body: BankFileToMatch
    answer: MatchedBankFile
  }
  // Ask to book payments of a bank's file, which a second person approves.
  requestBankPayments: {
    method: 'POST'
    url: '/bank-file/payments'
    body: BankPayments
    answer: AskedPayments
  }
  // What is open before a month can be closed.
  monthEnd: {
    method: 'GET'
    url: '/month-end'
    query: {
      month?: string
    }
    answer: MonthEnd
  }
  // Close a month, for good.
  closeMonth: {
    method: 'POST'
    url: '/month-end'
    body: MonthToClose
    answer: ClosedMonth
  }
  // Every account with its balance, now or at a moment.
  trialBalance: {
    method: 'GET'
    url: '/books/trial-balance'
    query: {
      at?: string
    }
    answer: TrialBalance
  }
  // An account from a day to a moment: opening, movements by day and kind, balance.
  accountStatement: {
    method: 'GET'
    url: '/books/account'
    query: {
      account: string
      asset: Asset
      // Of a partner.
      partner?: string
      from?: string
      at?: string
    }
    answer: AccountStatement
  }
  // The closed days, newest first.
  closedDays: {
    method: 'GET'
    url: '/books/days'
    query: {
      until?: string
    }
    answer: ClosedDays
  }
  // A closed day: cards by partner, every account, corrections of earlier days.
  closedDay: {
    method: 'GET'
    url: '/books/days/:day'
    params: {
      day: string
    }
    answer: DescribedDay
  }
  // The transfers behind a figure, of a closed day or since the last one.
  bookRows: {
    method: 'GET'
    url: '/books/rows'
    query: {
      day?: string
      at?: string
      account?: string
      asset?: Asset
      kind?: string
      // Of a partner.
      partner?: string
      belongsTo?: string
      after?: string
    }
    answer: BookRows
  }
  // The house's bullion, and the hedge gap of each metal.
  bullion: {
    method: 'GET'
    url: '/bullion'
    answer: Bullion
  }
  // Ask to record bullion that the house bought or sold.
  requestBullion: {
    method: 'POST'
    url: '/bullion'
    body: BullionWish
    answer: ActAsked
  }
}
