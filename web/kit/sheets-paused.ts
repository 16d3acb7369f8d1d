import { createContext } from 'react'

// While this is true, every sheet below it is closed but stays mounted, with all that was entered in it. A sheet that opens
// above the others sets it: two open dialogs would fight for the focus. Apart from sheet.tsx, so that the first page does
// not load the dialog.
export const SheetsPaused = createContext(false)
