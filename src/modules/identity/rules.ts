// Codes for one verification. Providers count codes too, each in its own way; our limit holds with all of them.
export const MAX_TRIES = 5
// A text takes seconds; impatience costs money.
export const RESEND_SECONDS = 60
// Login ids that were taken. A person finds a free one sooner, and an attacker who asks for a list of members does
// not get one.
export const MAX_REFUSALS = 10
