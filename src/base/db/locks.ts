// The advisory locks that a connection holds, in one place so that no two share a number. The form with two numbers shares no
// key with the form with one. Locks of one transaction stand where they are taken: 4857110, 4857140, 4857150, 4857151, key_lock().
export const LOCKS = {
  // The processes that use an embedded database. Shared; whoever gets it alone stops the server.
  embedded: '1768843092, 1',
  // One worker archives, however many there are.
  archiver: '1768843092, 2',
  // One process moves the installation at a time.
  move: '1768843092, 3',
  // Processes that start together migrate in turn.
  migration: '4857101',
  // One process rotates keys at a time.
  rotation: '4857103',
  // One process at a time reads what it is about to close.
  closing: '4857104',
} as const
