// Of one verification. Providers count codes as well, each in its own way; ours holds with all of them.
export const MAX_TRIES = 5
// A text takes seconds; impatience costs money.
export const RESEND_SECONDS = 60
// Login ids that were taken: a person finds one sooner, and whoever asks for a list of members does not get it.
export const MAX_REFUSALS = 10
