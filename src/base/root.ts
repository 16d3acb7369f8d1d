// The folder of the repository. Sources and the packed program (decisions/0090) both lie two folders below it.
export const ROOT = new URL('../../', import.meta.url)
