// An error about the situation, not about the code: its sentence is all that a person needs.
export class Explained extends Error {
  // Stable: what a script decides by.
  get machineWords(): { code: string } & Record<string, unknown> {
    return { code: 'installation' }
  }
}
