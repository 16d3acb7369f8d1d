// A PIN on its way through logging in or signing up. In memory only: it is worth money, and an address or a storage would
// keep it for whoever comes next.
let pending = ''

export const pendingPin = {
  get: () => pending,
  keep(pin: string): void {
    pending = pin
  },
  drop(): void {
    pending = ''
  },
}
