// Every advisory lock that is held by a connection, in one place so that no two share a number. The form with two numbers
// shares no key with the form with one. SQL functions lock 4857102 (key_lock) and 4857140, pricing 4857110.
export const LOCKS = {
  // The processes that use an embedded database. Shared; whoever gets it alone stops the server.
  members: '1768843092, 1',
  // One worker archives, however many there are.
  archiver: '1768843092, 2',
  // One process moves the installation at a time.
  move: '1768843092, 3',
  // Processes that start together migrate in turn.
  migration: '4857101',
  // One process rotates keys at a time.
  rotation: '4857103',
} as const
