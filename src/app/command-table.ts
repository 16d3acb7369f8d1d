import type { Command, OwnCommand } from '#app/command.ts'

// Each file is loaded with its first command, so that a command loads what it needs and nothing else.
const adjustment = () => import('#app/commands/adjustment.ts')
const apiKey = () => import('#app/commands/api-key.ts')
const approvals = () => import('#app/commands/approvals.ts')
const audit = () => import('#app/commands/audit.ts')
const auditChain = () => import('#app/commands/audit-chain.ts')
const backups = () => import('#app/commands/backup.ts')
const bankFile = () => import('#app/commands/bank-file.ts')
const books = () => import('#app/commands/books.ts')
const booksAccounts = () => import('#app/commands/books-accounts.ts')
const booksMonth = () => import('#app/commands/books-month.ts')
const bullion = () => import('#app/commands/bullion.ts')
const card = () => import('#app/commands/card.ts')
const cardShow = () => import('#app/commands/card-show.ts')
const delivery = () => import('#app/commands/delivery.ts')
const guard = () => import('#app/commands/guard.ts')
const installation = () => import('#app/commands/installation.ts')
const member = () => import('#app/commands/member.ts')
const memberData = () => import('#app/commands/member-data.ts')
const move = () => import('#app/commands/move.ts')
const partner = () => import('#app/commands/partner.ts')
const partnerShow = () => import('#app/commands/partner-show.ts')
const partnerContact = () => import('#app/commands/partner-contact.ts')
const payment = () => import('#app/commands/payment.ts')
const price = () => import('#app/commands/price.ts')
const refund = () => import('#app/commands/refund.ts')
const report = () => import('#app/commands/report.ts')
const restoration = () => import('#app/commands/restoration.ts')
const restoring = () => import('#app/commands/restore.ts')
const safeguard = () => import('#app/commands/safeguard.ts')
const staff = () => import('#app/commands/staff.ts')
const statement = () => import('#app/commands/statement.ts')
const template = () => import('#app/commands/template.ts')
const user = () => import('#app/commands/user.ts')
const vaultKeys = () => import('#app/commands/vault-keys.ts')
const withdrawal = () => import('#app/commands/withdrawal.ts')

// Every command works beside a running server and without one.
export const COMMANDS: Record<string, () => Promise<Command | OwnCommand>> = {
  migrate: async () => (await installation()).migrateCommand,
  'partner add': async () => (await partner()).partnerAdd,
  'partner list': async () => (await partner()).partnerList,
  'partner show': async () => (await partnerShow()).partnerShow,
  'partner set': async () => (await partner()).partnerSet,
  'partner pay': async () => (await payment()).partnerPay,
  'partner payments': async () => (await payment()).partnerPayments,
  'partner reverse-payment': async () => (await payment()).partnerReversePayment,
  'partner contacts': async () => (await partnerContact()).partnerContacts,
  'partner add-contact': async () => (await partnerContact()).partnerAddContact,
  'partner remove-contact': async () => (await partnerContact()).partnerRemoveContact,
  'partner billing': async () => (await statement()).partnerBilling,
  'partner pending': async () => (await partner()).partnerApprovals.pending,
  'partner approve': async () => (await partner()).partnerApprovals.approve,
  'partner refuse': async () => (await partner()).partnerApprovals.refuse,
  'key issue': async () => (await apiKey()).keyIssue,
  'key list': async () => (await apiKey()).keyList,
  'key revoke': async () => (await apiKey()).keyRevoke,
  'key rotate': async () => (await apiKey()).keyRotate,
  'card show': async () => (await cardShow()).cardShow,
  'card find': async () => (await cardShow()).cardFind,
  'card void': async () => (await card()).cardVoid,
  'card resend': async () => (await card()).cardResend,
  'card extend': async () => (await card()).cardExtend,
  'refund quote': async () => (await refund()).refundQuote,
  'refund do': async () => (await refund()).refundDo,
  'refund policies': async () => (await refund()).refundPolicies,
  'refund add-policy': async () => (await refund()).refundAddPolicy,
  'delivery retry': async () => (await delivery()).deliveryRetry,
  'delivery retry-many': async () => (await delivery()).deliveryRetryMany,
  'delivery retries': async () => (await delivery()).deliveryRetries,
  'delivery retry-stop': async () => (await delivery()).deliveryRetryStop,
  'template list': async () => (await template()).templateList,
  'template set': async () => (await template()).templateSet,
  'user show': async () => (await user()).userShow,
  'user find': async () => (await user()).userFind,
  'user suspend': async () => (await user()).userSuspend,
  'user resume': async () => (await user()).userResume,
  'user grant': async () => (await user()).userGrant,
  'user redeem': async () => (await user()).userRedeem,
  'price show': async () => (await price()).priceShow,
  'price terms': async () => (await price()).priceTerms,
  'price stop': async () => (await price()).priceStop,
  'price resume': async () => (await price()).priceResume,
  'price set': async () => (await price()).priceSet,
  'price orders': async () => (await price()).priceOrders,
  'price pending': async () => (await price()).priceApprovals.pending,
  'price approve': async () => (await price()).priceApprovals.approve,
  'price refuse': async () => (await price()).priceApprovals.refuse,
  'withdrawal list': async () => (await withdrawal()).withdrawalList,
  'withdrawal show': async () => (await withdrawal()).withdrawalShow,
  'withdrawal approve': async () => (await withdrawal()).withdrawalApprove,
  'withdrawal pay': async () => (await withdrawal()).withdrawalPay,
  'withdrawal refuse': async () => (await withdrawal()).withdrawalRefuse,
  'member find': async () => (await member()).memberFind,
  'member show': async () => (await member()).memberShow,
  'member freeze': async () => (await member()).memberFreeze,
  'member thaw': async () => (await member()).memberThaw,
  'member adjust': async () => (await adjustment()).memberAdjust,
  'member end-sessions': async () => (await member()).memberEndSessions,
  'member distrust-devices': async () => (await member()).memberDistrustDevices,
  'member export': async () => (await memberData()).memberExport,
  'member erase': async () => (await memberData()).memberErase,
  'approvals list': async () => (await approvals()).approvalsList,
  'approvals show': async () => (await approvals()).approvalsShow,
  'approvals approve': async () => (await approvals()).approvalsApprove,
  'approvals refuse': async () => (await approvals()).approvalsRefuse,
  'operator add': async () => (await staff()).operatorAdd,
  'operator list': async () => (await staff()).operatorList,
  'operator reset': async () => (await staff()).operatorReset,
  'operator suspend': async () => (await staff()).operatorSuspend,
  'operator resume': async () => (await staff()).operatorResume,
  'operator role': async () => (await staff()).operatorRole,
  'operator bind': async () => (await staff()).operatorBind,
  'operator unbind': async () => (await staff()).operatorUnbind,
  'books close': async () => (await books()).booksClose,
  'books days': async () => (await books()).booksDays,
  'books show': async () => (await books()).booksShow,
  'books rows': async () => (await books()).booksRows,
  'books trial-balance': async () => (await booksAccounts()).booksTrialBalance,
  'books statement': async () => (await booksAccounts()).booksStatement,
  'books month': async () => (await booksMonth()).booksMonth,
  'books close-month': async () => (await booksMonth()).booksCloseMonth,
  'books months': async () => (await booksMonth()).booksMonths,
  'books bullion': async () => (await bullion()).booksBullion,
  'books safeguard': async () => (await safeguard()).booksSafeguard,
  'books inventory': async () => (await bullion()).booksInventory,
  'books hedge': async () => (await bullion()).booksHedge,
  'report list': async () => (await report()).reportList,
  'report show': async () => (await report()).reportShow,
  'report transactions': async () => (await report()).reportTransactions,
  'statement draft': async () => (await statement()).statementDraft,
  'statement close': async () => (await statement()).statementClose,
  'statement send': async () => (await statement()).statementSend,
  'statement show': async () => (await statement()).statementShow,
  'statement match': async () => (await bankFile()).statementMatch,
  'statement list': async () => (await statement()).statementList,
  'audit list': async () => (await audit()).auditList,
  'audit show': async () => (await auditChain()).auditShow,
  'audit verify': async () => (await auditChain()).auditVerify,
  'audit anchor': async () => (await auditChain()).auditAnchor,
  'audit erase': async () => (await auditChain()).auditErase,
  'guard show': async () => (await guard()).guardShow,
  'keys rotate': async () => (await vaultKeys()).keysRotate,
  verify: async () => (await installation()).verify,
  restored: async () => (await restoration()).restored,
  'restored report': async () => (await restoration()).restoredReport,
  'restored release': async () => (await restoration()).restoredRelease,
  backup: async () => (await backups()).backup,
  'backup key': async () => (await backups()).backupKey,
  'backup list': async () => (await backups()).backupList,
  'backup verify': async () => (await backups()).backupVerify,
  'backup stop': async () => (await backups()).backupStop,
  restore: async () => (await restoring()).restore,
  move: async () => (await move()).move,
  adopt: async () => (await installation()).adopt,
  'clock advance': async () => (await installation()).clockAdvance,
}

export type Described = Pick<Command, 'usage' | 'summary'> & Partial<Command>

// Those that need no database of their own.
const SERVE = { usage: 'serve', summary: 'run the service' }
const BUILD = { usage: 'build', summary: 'build the pages; serve does it too when they are stale' }
const GENERATE = { usage: 'keys generate FILE', summary: 'make a key ring for live mode' }

const doctor = async () => (await import('#app/doctor/command.ts')).DOCTOR

const DESCRIBED: Record<string, () => Promise<Described>> = {
  serve: async () => SERVE,
  build: async () => BUILD,
  doctor,
  ...COMMANDS,
  'keys generate': async () => GENERATE,
}

export const NAMES: readonly string[] = Object.keys(DESCRIBED)

export function describeOne(name: string): Promise<Described> {
  return DESCRIBED[name]!()
}

// In the order in which the help lists them.
export async function describeAll(): Promise<Record<string, Described>> {
  const entries = Object.entries(DESCRIBED).map(async ([name, load]) => [name, await load()] as const)
  return Object.fromEntries(await Promise.all(entries))
}
