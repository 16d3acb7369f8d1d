export interface Words {
  ko: string
  en: string
}

// A kind of data, how long it is kept, why, and the job that erases it.
export interface Retention {
  kind: string
  what: Words
  kept: Words
  why: Words
  // Null: it stays, or it ends with an act of its owner.
  job:
    | 'forget_old_records'
    | 'forget_old_logins'
    | 'forget_old_keys'
    | 'forget_old_quotes'
    | 'look_after_cards'
    | null
  tables: readonly string[]
}
