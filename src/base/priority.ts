import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

// Linux keeps a priority for each thread, and Node sets that of the one that asks. Those that compress, encrypt and read files
// would keep theirs. Threads that are made later take the one of their maker. An ordinary account cannot raise it again, and a
// container may forbid it: then all stays as it is.
export function setPriorityOfAllThreads(priority: number): void {
  for (const thread of threads()) {
    try {
      setPriority(thread, priority)
    } catch {} // or it has ended
  }
}

function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number)
  } catch {
    return [0] // not Linux: the process as a whole
  }
}
