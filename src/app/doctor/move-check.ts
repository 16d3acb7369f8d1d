import { COPY_SCHEMA, type MoveState, readMove } from '#app/move/state.ts'
import { databaseCheck, ok, warning, wrong } from './types.ts'

interface MoveFacts {
  // A copy that is not complete.
  isCopy: boolean
  move: Pick<MoveState, 'state' | 'target'> | undefined
}

// `has`: the schema before this one has no such table.
const PLACE = {
  name: 'doctor_place',
  text: `select to_regnamespace('${COPY_SCHEMA}') is not null as "isCopy", to_regclass('installation_move') is not null as has`,
}

// Whether this is where the installation is.
export const move = databaseCheck<MoveFacts>({
  name: 'move',
  async read({ database }) {
    const [place] = await database.read<{ isCopy: boolean; has: boolean }>(PLACE, [])
    return { isCopy: place!.isCopy, move: place!.has ? await readMove(database) : undefined }
  },
  judge({ isCopy, move }) {
    if (isCopy) {
      const mend =
        'Run `ingot move --to TARGET` again at the source. To give it up: `ingot move --undo` there, and empty this.'
      return [wrong('this database is the target of a move that has not ended', mend)]
    }
    switch (move?.state) {
      case undefined:
        return [ok('this installation is not being moved')]
      case 'moved':
        return [
          wrong(`this installation was moved to ${move.target}`, 'Set DATABASE_URL or DATA_DIR to that.'),
        ]
      case 'stopped':
        return [
          warning(
            `writes are stopped: this installation is being moved to ${move.target}`,
            'Wait for `ingot move --to TARGET` or run it again. To give it up: ingot move --undo',
          ),
        ]
      case 'reopening':
        return [wrong('a move was undone in part: some tables still refuse writes', 'Run: ingot move --undo')]
    }
  },
})
